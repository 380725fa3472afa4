import { isCompiled } from '../files/package-files.ts';
import type { Signing } from '../trust/signature-file.ts';
import { type BuildOptions, buildContents } from '../units/build.ts';
import { type Contents, type Stages, stageNames } from '../units/kind.ts';
import type { Progress } from '../units/unit-run.ts';
import { stages } from '../units/units.ts';
import { wings } from './wings.ts';

/** The units of a site and of all wings. In each stage, the units of the wings come after those of the site. */
export async function siteContents(): Promise<Contents> {
  const parts = await Promise.all(wings.map(({ contents }) => contents()));
  const joined = stageNames.map((name) => [
    name,
    Object.assign({ ...stages[name] }, ...parts.map((part) => part.stages[name])),
  ]);
  return {
    stages: Object.fromEntries(joined) as Stages,
    headElements: (context) => parts.flatMap(({ headElements }) => headElements?.(context) ?? []),
    threadFile: new URL(isCompiled ? 'worker-thread.js' : 'worker-thread.ts', import.meta.url),
  };
}

/** Builds a site with all wings. See {@link buildContents}. */
export async function buildSite(options: BuildOptions, progress: Progress, signing: Signing | null = null) {
  return buildContents(await siteContents(), options, progress, signing);
}
