import { LaterDetails } from '../parts/later.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { ViewFrame } from '../parts/view-frame.tsx';
import { hrefFor } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { type Operation, operationGroups } from './operations.ts';
import { TryIt } from './try-it.tsx';

/** Every operation of the API, to read about and try on this host. */
export function Api() {
  const { site } = useSession();
  const loaded = useLoaded('openapi', async (site, signal) => operationGroups(await site.openapi({ signal })));
  const host = useLoaded('computes', (site, signal) => site.computes({ signal }));
  return (
    <ViewFrame
      title="API"
      lead={
        <>
          Every address answers GET requests with JSON. Errors have a code, which the{' '}
          <a href={hrefFor('problems')}>list of problems</a> explains. For whole tables, load{' '}
          <a href={hrefFor('data')}>files</a> instead.
        </>
      }
      sources={[{ label: 'This description, as OpenAPI 3.1', url: site.addressOf('openapi') }]}
    >
      {host.value === true && <p class="muted">This host computes answers, so all of these work here.</p>}
      {host.value === false && (
        <p class="note">
          This host only sends files. Operations marked “computed”, and parameters of lists, need a host that computes.
          The other views of the explorer compute them in your browser.
        </p>
      )}
      <WhenLoaded loaded={loaded} what="the description">
        {(groups) => (
          <>
            {groups.map(({ name, description, operations }) => (
              <section key={name}>
                <h2>{name}</h2>
                <p class="muted">{description}</p>
                {operations.map((operation) => (
                  <OperationDetails key={operation.kind} operation={operation} />
                ))}
              </section>
            ))}
          </>
        )}
      </WhenLoaded>
    </ViewFrame>
  );
}

const computing = { no: null, parameters: 'parameters computed', always: 'computed' } as const;

/** An operation. Its parameters are drawn once the reader opens it. */
function OperationDetails({ operation }: { readonly operation: Operation }) {
  const { kind, path, summary, description, parameters, needsComputing } = operation;
  const mark = computing[needsComputing];
  return (
    <LaterDetails
      class="operation"
      id={kind}
      summary={
        <>
          <code>{path}</code> <span>{summary}</span> {mark && <span class="tag">{mark}</span>}
        </>
      }
    >
      <div class="inner">
        {description !== summary && <p>{description}</p>}
        {parameters.length > 0 && (
          <dl class="facts">
            {parameters.map(({ name, in: location, required, description, choices }) => (
              <div key={name} class="fact">
                <dt>
                  <code>{name}</code> <span class="muted">{required ? `${location}, required` : location}</span>
                </dt>
                <dd>
                  {description} {choices.length > 0 && `One of ${choices.join(', ')}.`}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <TryIt operation={operation} />
      </div>
    </LaterDetails>
  );
}
