import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

export interface MailHost extends AsyncDisposable {
  /** smtp://127.0.0.1:port */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Called with each recipient; null: accepts all. Throws or rejects to refuse. */
  onRecipient: ((address: string) => void | Promise<void>) | null;
  /** Called with each complete email before it is accepted. Throws or rejects to refuse. */
  onEmail: ((mail: ReceivedMail) => void | Promise<void>) | null;
}

/** A real mail server that keeps the accepted emails. */
export async function openMailHost(options: SMTPServerOptions = {}, atPort = 0): Promise<MailHost> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    closeTimeout: 100,
    ...options,
    async onRcptTo({ address }, _session, done) {
      await settle(() => host.onRecipient?.(address), done);
    },
    async onData(stream, { envelope }, done) {
      const bytes = await buffer(stream).catch(() => undefined);
      // The sender was killed in the middle.
      if (bytes === undefined) return;
      const raw = bytes.toString('latin1');
      const mail: ReceivedMail = {
        messageId: /^Message-ID: <(.*)>/im.exec(raw)?.[1] ?? '',
        from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
        to: envelope.rcptTo.map(({ address }) => address),
        raw,
      };
      await settle(async () => {
        await host.onEmail?.(mail);
        received.push(mail);
      }, done);
    },
  });
  // Senders that are killed break their connections.
  server.on('error', () => undefined);
  server.listen(atPort, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const host: MailHost = {
    url: `smtp://127.0.0.1:${port}`,
    received,
    onRecipient: null,
    onEmail: null,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return host;
}

/** An error with which the mail server responds. */
export function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function settle(work: () => unknown, done: (error?: Error | null) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    done(error as Error);
    return;
  }
  done();
}
