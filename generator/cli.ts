import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { Output } from './commands/command-line.ts';
import { Failure, failureOf } from './failure.ts';

type CommandEntry = {
  readonly summary: string;
  /** A command loads its own modules only, so that none waits for those of another. */
  readonly load: () => Promise<(command: Command, output: Output) => void>;
};

const commands: Readonly<Record<string, CommandEntry>> = {
  publish: {
    summary: 'publish snapshot folders in the given order, each as one new publication',
    load: async () => (await import('./commands/publish.ts')).definePublish,
  },
  build: {
    summary: 'build the site of the latest publication, or update an existing site to it',
    load: async () => (await import('./commands/build.ts')).defineBuild,
  },
  verify: {
    summary: 'check every hash, schema, link, list, export and file of a site folder, or check a live site by its URL',
    load: async () => (await import('./commands/verify.ts')).defineVerify,
  },
  hosts: {
    summary: 'write configuration files for nginx, Caddy and static hosts, for the current publication of a site',
    load: async () => (await import('./commands/hosts.ts')).defineHosts,
  },
  mirror: {
    summary: 'download a site from any host into a folder, or update the mirror in that folder',
    load: async () => (await import('./commands/mirror.ts')).defineMirror,
  },
  bundle: {
    summary: 'write the current publication of a site as one ZIP file for offline use',
    load: async () => (await import('./commands/bundle.ts')).defineBundle,
  },
  deploy: {
    summary: 'upload a built site to an S3-compatible bucket, or update the site in the bucket',
    load: async () => (await import('./commands/deploy.ts')).defineDeploy,
  },
  keygen: {
    summary: 'create an Ed25519 key pair: the private key in the file, the public key beside it as .pub',
    load: async () => (await import('./commands/keygen.ts')).defineKeygen,
  },
  follow: {
    summary: 'print change events newer than a saved position as NDJSON, oldest first, from any host of a site',
    load: async () => (await import('./commands/follow.ts')).defineFollow,
  },
  worker: {
    summary: 'write the Cloudflare Worker and its configuration into a folder that wrangler deploys from',
    load: async () => (await import('./commands/worker.ts')).defineWorker,
  },
};

const exitCode = { success: 0, failure: 1, usage: 2 };

/** Runs a command line. Resolves to the exit code: 0 success, 1 an explained failure, 2 wrong usage. */
async function run(args: readonly string[], output: Output): Promise<number> {
  output.speakAs(voiceOf(args));
  try {
    const program = await programFor(args, output);
    await program.parseAsync(args, { from: 'user' });
    return exitCode.success;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.success : exitCode.usage;
    output.failure(failureOf(error) ?? unexpected(error), error);
    return exitCode.failure;
  } finally {
    output.clearProgress();
  }
}

/** The command line with every command. Only the command that `args` name is loaded. */
async function programFor(args: readonly string[], output: Output): Promise<Command> {
  const program = new Command('shelfpress')
    .description('turn snapshots of reported inventory into a static, verifiable JSON service')
    .version(version(), '--version', 'print the version')
    .exitOverride()
    .showHelpAfterError('(--help shows how it is used)');
  const [first, second] = args.filter((argument) => !argument.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  for (const [name, { summary, load }] of Object.entries(commands)) {
    const command = program.command(name).description(summary);
    if (name !== wanted) continue;
    (await load())(command, output);
    command.option('--quiet', 'print results and errors only').option('--verbose', 'print stack traces with errors');
  }
  return program;
}

/** The options that every command has, read before the command line is parsed, because that can fail too. */
function voiceOf(args: readonly string[]) {
  const has = (flag: string) => args.includes(flag);
  return { isQuiet: has('--quiet'), isVerbose: has('--verbose'), isJson: has('--json') };
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

/** An error of the program itself, which nobody foresaw. */
function unexpected(error: unknown): Failure {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure(`this is a fault of shelfpress; please report it with the output of --verbose: ${message}`);
}

// A reader such as `| head` may close the output early. Nobody reads the rest, so the process ends.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCode.failure);
});

process.exitCode = await run(process.argv.slice(2), new Output());
