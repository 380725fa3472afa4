/** A column of a table for people. Numbers are aligned to the right. */
export type TableColumn = { readonly title: string; readonly align?: 'right' };

/** The lines of a table, in columns two blanks apart. The first line has the titles. No line ends in a blank. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const lines = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((cells) => cells[index]?.length ?? 0)));
  return lines.map((cells) => {
    const padded = columns.map(({ align }, index) => {
      const [cell = '', width = 0] = [cells[index], widths[index]];
      return align === 'right' ? cell.padStart(width) : cell.padEnd(width);
    });
    return padded.join('  ').trimEnd();
  });
}
