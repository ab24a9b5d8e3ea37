import { Trans, useLingui } from '@lingui/react/macro';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { CopyField } from './copy-field.tsx';
import dialogStyles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { Notice } from './notice.tsx';

interface Props {
  readonly label: string;
  readonly secret: string;
  /** Default: that nobody else has it. */
  readonly notice?: ReactNode;
  /** What to do with it, and the way back. */
  readonly children: ReactNode;
}

/** A secret that is never shown again. The page asks before somebody leaves without a copy. */
export function SecretOnce({ label, secret, notice, children }: Props) {
  const { t } = useLingui();
  const [isCopied, setCopied] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isCopied,
    enableBeforeUnload: () => !isCopied,
    withResolver: true,
  });
  const isAsking = blocker.status === 'blocked';
  return (
    <>
      <Notice tone="warn">
        {notice ?? <Trans>Copy it now. It’s shown only once, and we don’t store it.</Trans>}
      </Notice>
      <CopyField label={label} value={secret} onCopied={() => setCopied(true)} />
      {children}
      <Dialog
        isOpen={isAsking}
        onClose={() => blocker.reset?.()}
        title={t`Leave without copying it?`}
      >
        <p>
          <Trans>You haven’t copied the secret. It can’t be shown again.</Trans>
        </p>
        <div className={dialogStyles['foot']}>
          <Button kind="primary" onPress={() => blocker.reset?.()}>{t`Stay`}</Button>
          <Button kind="danger" onPress={() => blocker.proceed?.()}>{t`Leave`}</Button>
        </div>
      </Dialog>
    </>
  );
}
