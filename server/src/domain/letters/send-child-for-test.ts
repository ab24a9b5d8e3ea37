import { createApp } from '../../app.ts';
import { loadConfig } from '../../config/config.ts';
import { sendLetters } from './index.ts';

// A process to be killed: sends what is due.
await using app = await createApp(loadConfig());
await sendLetters(app.ctx);
