import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../api/me.ts';
import { Notice } from './notice.tsx';

/** Says where the emails of this page are, on an installation that does not send any. */
export function UnsentEmails() {
  const { data: me } = useQuery(meQuery);
  const folder = me?.unsent_emails_folder ?? null;
  if (folder === null) return null;
  return (
    <Notice tone="info">
      <Trans>
        This installation doesn’t send emails because <code>SMTP_URL</code> isn’t set. Its operator
        can find them as files in <code>{folder}</code>.
      </Trans>
    </Notice>
  );
}
