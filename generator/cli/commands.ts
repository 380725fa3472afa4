import type { Command } from 'commander';
import { wings } from '../assembly/wings.ts';
import type { Output } from '../terminal/output.ts';
import type { SettingsFile } from './settings-file.ts';

export type OtherCommands = {
  readonly summaries: Readonly<Record<string, string>>;
  /** Gives a command the options and arguments of another one. */
  readonly define: (name: string, command: Command, output: Output) => Promise<void>;
  /** Resolves to the exit code. */
  readonly run: (args: readonly string[], output: Output) => Promise<number>;
  /** A command with the options and arguments that the settings give it. Throws a Failure for a wrong setting. */
  readonly configured: (name: string, from: SettingsFile, output: Output) => Promise<Command>;
};

type Define = (command: Command, output: Output, others: OtherCommands) => void;

/**
 * `load` imports the definition: a command loads only its own modules, so that none waits for another's. `prints`: the
 * command only prints, so it exits when its output is closed.
 */
type Row = { readonly summary: string; readonly load: () => Promise<Define>; readonly prints?: true };

/** The commands, by their heading in the help. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  'Make a site': {
    init: {
      summary: 'create shelfpress.json and the incoming/ folder',
      load: async () => (await import('./init.ts')).defineInit,
    },
    update: {
      summary: 'run the daily job: import what is in incoming/, publish, build, verify and deploy',
      load: async () => (await import('./update.ts')).defineUpdate,
    },
    import: {
      summary: "turn an agency's CSV, TSV, NDJSON, JSON or XLSX files into a snapshot folder, as a recipe says",
      load: async () => (await import('./import.ts')).defineImport,
    },
    publish: {
      summary: 'publish snapshot folders into a database, each as a new publication',
      load: async () => (await import('./publish.ts')).definePublish,
    },
    build: {
      summary: 'build the site of the latest publication, or update the existing site',
      load: async () => (await import('./build.ts')).defineBuild,
    },
    unpublish: {
      summary: 'take back the last publication of a database, before any site has it',
      load: async () => (await import('./unpublish.ts')).defineUnpublish,
    },
    keygen: {
      summary: 'create an Ed25519 key pair for signing sites',
      load: async () => (await import('./keygen.ts')).defineKeygen,
    },
    schema: {
      summary: 'print the JSON Schema of a snapshot part, a recipe, a curation or the settings',
      load: async () => (await import('./schema.ts')).defineSchema,
      prints: true,
    },
  },
  'Check it': {
    check: {
      summary: 'report what publish would find in snapshot folders, without writing anything',
      load: async () => (await import('./check.ts')).defineCheck,
      prints: true,
    },
    verify: {
      summary: 'check every hash, schema, link, list and export of a site folder, or a sample of a live site',
      load: async () => (await import('./verify.ts')).defineVerify,
      prints: true,
    },
    status: {
      summary: 'report in one line whether a live site is recent, free of warnings, and sound in a sample',
      load: async () => (await import('./status.ts')).defineStatus,
      prints: true,
    },
    witness: {
      summary: 'co-sign the pointer of a live site, if it continues the history seen before',
      load: async () => (await import('./witness.ts')).defineWitness,
    },
    inspect: {
      summary: 'show what is in a database or a site folder: publications, warnings, retention, sizes',
      load: async () => (await import('./inspect.ts')).defineInspect,
      prints: true,
    },
    diff: {
      summary: 'compare two publications, in databases, site folders or live sites',
      load: async () => (await import('./diff.ts')).defineDiff,
      prints: true,
    },
  },
  'Serve it': {
    demo: {
      summary: 'build and serve the bundled example, to look around',
      load: async () => (await import('./demo.ts')).defineDemo,
    },
    serve: {
      summary: 'serve a site over HTTP: the explorer and the whole API',
      load: async () => {
        const { defineServe } = await import('./serve.ts');
        return (command, output) => defineServe(command, output);
      },
    },
    hosts: {
      summary: 'write configuration files for nginx, Caddy and static hosts',
      load: async () => (await import('./hosts.ts')).defineHosts,
    },
    worker: {
      summary: 'write the Cloudflare Worker and its configuration',
      load: async () => (await import('./worker.ts')).defineWorker,
    },
  },
  'Copy it': {
    deploy: {
      summary: 'upload a site to an S3-compatible bucket, or update it there',
      load: async () => (await import('./deploy.ts')).defineDeploy,
    },
    mirror: {
      summary: 'download a site from any host into a folder, or update it there',
      load: async () => (await import('./mirror.ts')).defineMirror,
    },
    bundle: {
      summary: 'write the current publication of a site as one ZIP file',
      load: async () => (await import('./bundle.ts')).defineBundle,
    },
    ...wingCommands('Copy it'),
    follow: {
      summary: 'print change events newer than a saved position, from any host of a site',
      load: async () => (await import('./follow.ts')).defineFollow,
      prints: true,
    },
  },
  Help: {
    help: {
      summary: 'explain a command, an error code, or one of: settings, recipes, guards, terms',
      load: async () => (await import('./help.ts')).defineHelp,
      prints: true,
    },
    completion: {
      summary: 'print a completion script for bash, zsh or fish',
      load: async () => (await import('./completion.ts')).defineCompletion,
      prints: true,
    },
  },
};

function wingCommands(heading: string): Readonly<Record<string, Row>> {
  const rows = wings.flatMap(({ commands = {} }) => Object.entries(commands));
  return Object.fromEntries(rows.filter(([, { group }]) => group === heading));
}

export const commands: Readonly<Record<string, Row>> = Object.assign({}, ...Object.values(commandGroups));
