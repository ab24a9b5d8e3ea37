import { Trans } from '@lingui/react/macro';
import { LinkButton } from '../../../components/link-button.tsx';
import { Notice } from '../../../components/notice.tsx';

/** An earlier attempt succeeded, but its response was lost. Its secret cannot be shown again. */
export function MadeAlready({ keyId }: { readonly keyId: string }) {
  return (
    <Notice
      tone="warn"
      action={
        <LinkButton to="/settings/keys/$keyId/roll" params={{ keyId }} size="small" reloadDocument>
          <Trans>Replace the secret</Trans>
        </LinkButton>
      }
    >
      <Trans>
        Your first attempt worked, but we lost the connection before we could show you the secret.
        Replace the secret to get a new one.
      </Trans>
    </Notice>
  );
}
