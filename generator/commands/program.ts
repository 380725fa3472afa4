import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { Failure, failureOf, systemReason } from '../failure.ts';
import { packageFolder } from '../package-files.ts';
import { NegativeAnswer, type OtherCommands, type Output } from './command-line.ts';
import { addSettingsHelp, applySettings, findSettings, takesSettings, usualFile } from './settings.ts';

const exitCode = { success: 0, failure: 1, usage: 2 };

/**
 * Runs a command line. Resolves to the exit code: 0 success, 1 an explained failure or a negative answer, 2 wrong usage. `program` makes the
 * program that reads the arguments, which throws instead of exiting (`exitOverride`).
 */
export async function runProgram(
  args: readonly string[],
  output: Output,
  program: (output: Output) => Promise<Command>,
): Promise<number> {
  output.speakAs(voiceOf(args));
  try {
    await (await program(output)).parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    if (error instanceof NegativeAnswer) return exitCode.failure;
    output.failure(failureOf(error) ?? unexpected(error), error);
    return exitCode.failure;
  } finally {
    output.clearProgress();
  }
}

/** Gives a command the options that every command has, and the rule that none of its values is empty. */
export function addCommonRules(command: Command): void {
  command
    .option('--quiet', 'print results and errors only')
    .option('--verbose', 'print stack traces with errors')
    .hook('preAction', refuseEmpty);
}

/** An empty value comes from a variable that is not set. As a path it would mean the working folder. */
function refuseEmpty(command: Command): void {
  const values: (readonly [what: string, value: unknown])[] = [
    ...command.registeredArguments.map(
      (one, index) => [`argument '${one.name()}'`, command.processedArgs[index]] as const,
    ),
    ...command.options.map((one) => [`option '${one.flags}'`, command.getOptionValue(one.attributeName())] as const),
  ];
  const empty = values.find(([, value]) => [value].flat().includes(''));
  if (empty) command.error(`error: ${empty[0]}: expected a value, got an empty one`);
}

/** The options that every command has, read before the command line is parsed, because that can fail too. */
function voiceOf(args: readonly string[]) {
  const has = (flag: string) => args.includes(flag);
  return { isQuiet: has('--quiet'), isVerbose: has('--verbose'), isJson: has('--json') };
}

/** An error of the program itself, that was not foreseen. */
function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure(
    'program',
    `this is a fault of shelfpress; please report it with the output of --verbose: ${message}`,
  );
}

/**
 * Handles standard output that cannot be written. A reader such as `| head` may close it early: the rest has no reader, so the
 * process ends. On a full disk, the work goes on to its end, and then the command has failed.
 */
export function handleLostOutput(): void {
  let isLost = false;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCode.failure);
    if (isLost) return;
    isLost = true;
    const reason = systemReason(error.code ?? error.message);
    process.stderr.write(
      `shelfpress: standard output could not be written: ${reason}; what the command does is done all the same\n`,
    );
    process.once('exit', () => {
      process.exitCode = exitCode.failure;
    });
  });
}

const others: OtherCommands = {
  run: (args, output) => runProgram(args, output, (own) => programFor(args, own)),
  check: async (names, from, output) => {
    for (const name of names) {
      const command = new Command(name);
      (await loads[name]())(command, output, others);
      applySettings(command, from);
    }
  },
};

/** What each command does, in the order of the help. */
const summaries = {
  init: 'write a file of settings and make the folder for what is new',
  update: 'do the work of a day: take what is new, publish, build, verify and deploy it',
  import: "make a snapshot folder from an agency's CSV, TSV, NDJSON, JSON or XLSX files, as a recipe says",
  schema: 'print the JSON Schema of a part of a snapshot, of a recipe, of a curation or of the settings',
  check: 'say what publish would find in snapshot folders, without writing anything',
  publish: 'publish snapshot folders in the given order, each as one new publication',
  unpublish: 'take back the last publication of a database, while no site has it',
  build: 'build the site of the latest publication, or update an existing site to it',
  verify: 'check every hash, schema, link, list, export and file of a site folder, or check a live site by its URL',
  inspect: 'show what a database or a site folder holds: publications, warnings, retention, sizes',
  diff: 'compare two publications, of databases, site folders or live sites',
  status: 'check in one line whether a live site is recent, without warnings and sound in a sample',
  hosts: 'write configuration files for nginx, Caddy and static hosts, for the current publication of a site',
  mirror: 'download a site from any host into a folder, or update the mirror in that folder',
  bundle: 'write the current publication of a site as one ZIP file for offline use',
  deploy: 'upload a built site to an S3-compatible bucket, or update the site in the bucket',
  keygen: 'create an Ed25519 key pair: the private key in the file, the public key next to it as .pub',
  follow: 'print change events newer than a saved position as NDJSON, oldest first, from any host of a site',
  worker: 'write the Cloudflare Worker and its configuration into a folder that wrangler deploys from',
  serve: 'serve a site over HTTP, with the whole API',
} as const;

type Define = (command: Command, output: Output, others: OtherCommands) => void;

/** What defines each command. A command loads its own modules only, so that none waits for those of another. */
const loads: Readonly<Record<keyof typeof summaries, () => Promise<Define>>> = {
  init: async () => (await import('./init.ts')).defineInit,
  update: async () => (await import('./update.ts')).defineUpdate,
  import: async () => (await import('./import.ts')).defineImport,
  schema: async () => (await import('./schema.ts')).defineSchema,
  check: async () => (await import('./check.ts')).defineCheck,
  publish: async () => (await import('./publish.ts')).definePublish,
  unpublish: async () => (await import('./unpublish.ts')).defineUnpublish,
  build: async () => (await import('./build.ts')).defineBuild,
  verify: async () => (await import('./verify.ts')).defineVerify,
  inspect: async () => (await import('./inspect.ts')).defineInspect,
  diff: async () => (await import('./diff.ts')).defineDiff,
  status: async () => (await import('./status.ts')).defineStatus,
  hosts: async () => (await import('./hosts.ts')).defineHosts,
  mirror: async () => (await import('./mirror.ts')).defineMirror,
  bundle: async () => (await import('./bundle.ts')).defineBundle,
  deploy: async () => (await import('./deploy.ts')).defineDeploy,
  keygen: async () => (await import('./keygen.ts')).defineKeygen,
  follow: async () => (await import('./follow.ts')).defineFollow,
  worker: async () => (await import('./worker.ts')).defineWorker,
  serve: async () => {
    const { defineServe } = await import('./serve.ts');
    return (command, output) => defineServe(command, output);
  },
};

/** The command line with every command. Only the command that `args` name is loaded. */
export async function programFor(args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('shelfpress')
    .description('turn snapshots of reported inventory into a static, verifiable JSON service')
    .version(version(), '--version', 'print the version')
    .option('--settings <file>', `file of settings (default: ${usualFile}, if it is there)`)
    .hook('preSubcommand', async (all, command) => {
      // Help is not of the settings, so it must not fail because of them.
      if (!takesSettings(command) || args.includes('--help') || args.includes('-h')) return;
      const file = findSettings(all.opts().settings);
      if (file === null) return;
      // A command that has no settings does not wait for what reads them.
      const { readSettings } = await import('./settings-file.ts');
      applySettings(command, readSettings(file));
    })
    .exitOverride()
    .configureOutput({ writeOut: (text) => output.write(text), writeErr: (text) => output.writeError(text) })
    .showHelpAfterError('(--help shows how it is used)');
  const [first, second] = args.filter((argument, at) => !argument.startsWith('-') && args[at - 1] !== '--settings');
  const wanted = first === 'help' ? second : first;
  for (const [name, summary] of Object.entries(summaries)) {
    const command = program.command(name).description(summary);
    if (name !== wanted) continue;
    (await loads[name as keyof typeof summaries]())(command, output, others);
    addCommonRules(command);
    addSettingsHelp(command);
  }
  return program;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')).version;
}
