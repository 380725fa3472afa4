import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';

/** Loopback ports of Swift's programs. The cache is memcached. */
export type SwiftPorts = Readonly<Record<'proxy' | 'account' | 'container' | 'object' | 'cache', number>>;

/** Credentials of an administrator of the account `AUTH_test`. */
export const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/**
 * Writes the configuration of a Swift with one disk, which is a folder, and the S3 API in front of it. Objects are in
 * memory.
 */
export function writeConfiguration(folder: string, ports: SwiftPorts): void {
  mkdirSync(join(folder, 'disk', 'd1'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = gold\ndefault = yes\n');
  for (const kind of ['account', 'container', 'object'] as const) {
    write(`${kind}.conf`, common(folder, ports[kind]) + storageServer(folder, kind));
  }
  write('proxy.conf', common(folder, ports.proxy) + proxyServer(ports.cache));
}

/**
 * The program that starts a Swift in a folder: `python3 -c launcher FOLDER ACCOUNT_PORT CONTAINER_PORT OBJECT_PORT`.
 */
export const launcher = `
# What swift-ring-builder and the four swift-*-server programs do, in children of one process: loading Swift takes longer
# than all the rest.
import ctypes, gc, os, sys
import swift.account.server, swift.container.server, swift.obj.server, swift.proxy.server
import swift.common.middleware.s3api.s3api, swift.common.middleware.tempauth
from swift.common.ring import RingBuilder
from swift.common.wsgi import run_wsgi

folder, *ports = sys.argv[1:]
for kind, port in zip(('account', 'container', 'object'), ports):
    builder = RingBuilder(0, 1, 0)
    builder.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 1,
                     'replication_ip': '127.0.0.1', 'replication_port': int(port), 'meta': ''})
    builder.rebalance()
    builder.get_ring().save('%s/%s.ring.gz' % (folder, kind))
# The modules' many objects live to the end. Looking for garbage among them takes seconds.
gc.freeze()
gc.set_threshold(100000, 50, 100)
for kind in ('account', 'container', 'object', 'proxy'):
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL
        sys.exit(run_wsgi('%s/%s.conf' % (folder, kind), '%s-server' % kind))
for _ in range(4):
    os.wait()
`;

function common(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
swift_dir = ${folder}
user = ${userInfo().username}
log_level = CRITICAL
`;
}

function storageServer(folder: string, kind: string): string {
  return `devices = ${folder}/disk
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind === 'object' ? 'mem_object' : kind}
log_requests = false
`;
}

function proxyServer(cache: number): string {
  return `[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
check_bucket_owner = false
location = us-east-1
allow_multipart_uploads = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`;
}
