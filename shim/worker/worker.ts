import type { EdgeRequest, Environment } from './bucket-site.ts';
import { edgeService } from './service.ts';

/** Made for the first request of an isolate: before that, there are no bindings and no random numbers. */
let service: ReturnType<typeof edgeService> | null = null;

/** The worker's entry point, as Cloudflare's runtime expects it. */
export default {
  async fetch(request: EdgeRequest, environment: Environment): Promise<Response> {
    service ??= edgeService(environment);
    return service(request);
  },
};
