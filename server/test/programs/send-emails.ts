import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { sendEmails } from '../../src/domain/emails/index.ts';

// A process to be killed: sends what is due.
await using app = await createApp(loadConfig());
await sendEmails(app.ctx);
