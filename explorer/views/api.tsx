import { type Operation, operationGroups } from '../api/operations.ts';
import { TryIt } from '../api/try-it.tsx';
import { hrefFor } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { LaterDetails } from '../components/later-details.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { ViewFrame } from '../components/view-frame.tsx';

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
          Every address answers a GET request with JSON. Errors have a code; <a href={hrefFor('problems')}>a list</a>{' '}
          says what each means. Whole tables are better loaded <a href={hrefFor('data')}>as files</a>.
        </>
      }
      sources={[{ label: 'This description, as OpenAPI 3.1', url: site.addressOf('openapi') }]}
    >
      {host.value === true && <p class="muted">This host computes, so it answers all of these.</p>}
      {host.value === false && (
        <p class="note">
          This host only sends files. Operations marked “computed” need a host that computes, and so do parameters of
          lists. The other views of this page compute them themselves.
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
