import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.ts';

/** Whom letters come from. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Addresses are given apart from names: nothing in them is read as a list. */
export function addressMail(mail: Mail, sender: Sender): SendMailOptions {
  const host = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    messageId: `<${mail.id}@${host}>`,
    date: mail.date,
    from: { ...sender },
    to: { name: '', address: mail.to },
    envelope: { from: sender.address, to: [mail.to] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
