import type { ProblemCode } from '../../contract/problem.ts';
import { DataTable } from '../parts/data-table.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import type { Column } from '../parts/table-columns.ts';
import { ViewFrame } from '../parts/view-frame.tsx';
import { hrefFor } from '../site/router.ts';
import { useLoaded, useSession } from '../site/session.ts';
import { problemCodes } from './operations.ts';

type Row = { readonly code: ProblemCode; readonly title: string; readonly status: number; readonly remedy: string };

const columns: readonly Column<Row>[] = [
  { label: 'Code', value: ({ code }) => code, show: ({ code }) => <a href={hrefFor('problem', code)}>{code}</a> },
  { label: 'Status', value: ({ status }) => status, isNumber: true },
  { label: 'Title', value: ({ title }) => title, isMinor: true },
  { label: 'What to do', value: ({ remedy }) => remedy, show: ({ remedy }) => <span class="prose">{remedy}</span> },
];

/** Every problem that the API answers with. */
export function Problems() {
  const { site } = useSession();
  const loaded = useLoaded('problems', async (site, signal) => {
    const codes = problemCodes(await site.openapi({ signal }));
    const documents = await Promise.all(codes.map((code) => site.problem(code, { signal })));
    return documents.map(({ data }) => data);
  });
  return (
    <ViewFrame
      title="Problems"
      lead="What the error codes mean, and what to do about each."
      sources={[{ label: 'Description of the API, with all codes', url: site.addressOf('openapi') }]}
    >
      <WhenLoaded loaded={loaded} what="the problems">
        {(rows) => (
          <DataTable caption="Problems" columns={columns} rows={rows} file="problems" rowKey={({ code }) => code} />
        )}
      </WhenLoaded>
    </ViewFrame>
  );
}
