/** A page with another table in the section of a heading: its first one is replaced. */
export function withContent(page: string, heading: string, content: string): string {
  const [before, section] = page.split(`\n## ${heading}\n`);
  if (before === undefined || section === undefined) throw new Error(`the page has no section ${heading}`);
  const old = /(?:^\|.*\n)+/m;
  if (!old.test(section.split('\n## ')[0] ?? '')) throw new Error(`the section ${heading} has nothing to replace`);
  return `${before}\n## ${heading}\n${section.replace(old, () => content)}`;
}
