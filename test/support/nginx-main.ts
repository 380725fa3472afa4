import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Writes the main configuration of an nginx that writes all its files into `folder`, and runs in the foreground as the
 * current user. `settings` has further statements for its http block. Returns the path of the configuration.
 */
export function writeNginxMain(folder: string, workers: number, settings: readonly string[]): string {
  mkdirSync(join(folder, 'tmp'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/tmp;`,
  );
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `user ${userInfo().username}; daemon off; worker_processes ${workers}; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  ${[...temporary, `access_log ${folder}/access.log;`, 'sendfile on;', ...settings].join('\n  ')}
}
`,
  );
  return file;
}
