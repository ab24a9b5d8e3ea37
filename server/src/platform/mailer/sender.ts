import type { SendMailOptions } from 'nodemailer';
import type { Mail } from './mailer.ts';

type Nodemailer = typeof import('nodemailer');

/** Loads Nodemailer at first use: that takes longer than most commands, and few send an email. */
export function loadOnce<T>(open: (nodemailer: Nodemailer) => T): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= import('nodemailer').then(open);
    return opened;
  };
}

/** The sender of emails. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** Addresses are separate from names, so that nothing is parsed as a list. */
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
