import { once } from 'node:events';
import { startService } from './start-service.ts';
import { startWordPress } from './start-wordpress.ts';

/** Starts a WordPress with the plugin and a service for it, to look at, until Ctrl+C. */
await using running = new AsyncDisposableStack();
const wordpress = running.adopt(await startWordPress(), (site) => site.stop());
const service = running.adopt(await startService(wordpress), (started) => started.stop());
const { user, password } = wordpress.administrator;
console.log(`WordPress: ${wordpress.url}wp-admin/ (${user}, ${password})`);
console.log(`Service:   ${service.url}`);
console.log(`Trust:     ${wordpress.authority}`);
await once(process, 'SIGINT');
