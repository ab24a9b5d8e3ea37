import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { sendEmails } from '../../src/domain/foundation/emails/index.ts';

// A process that a test kills. Sends the emails that are due.
await using app = await createApp(loadConfig());
await sendEmails(app.ctx);
