import type { ProblemCode } from '../../contract/problem.ts';
import { WhenLoaded } from '../parts/states.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { hrefFor, type ViewProps } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';

/** What a problem code means. */
export function Problem({ argument }: ViewProps) {
  const { site } = useSession();
  // A code from the address may be any text; the host knows whether it exists.
  const code = argument as ProblemCode;
  const loaded = useLoaded(`problem ${code}`, async (site, signal) => (await site.problem(code, { signal })).data);
  return (
    <ViewFrame
      title={loaded.value?.title ?? 'Problem'}
      lead={<a href={hrefFor('problems')}>All problems</a>}
      sources={loaded.value ? [{ label: 'This problem', url: site.addressOf('problem', { problem: code }) }] : []}
    >
      <WhenLoaded
        loaded={loaded}
        what="the problem"
        missing={
          <p>
            There is no problem with this code. <a href={hrefFor('problems')}>All problems</a>
          </p>
        }
      >
        {({ code, status, detail, remedy }) => (
          <dl class="facts">
            <dt>What happened</dt>
            <dd>{detail}</dd>
            <dt>What to do</dt>
            <dd>{remedy}</dd>
            <dt>Code</dt>
            <dd>
              <code>{code}</code>
            </dd>
            <dt>HTTP status</dt>
            <dd>{status}</dd>
          </dl>
        )}
      </WhenLoaded>
    </ViewFrame>
  );
}
