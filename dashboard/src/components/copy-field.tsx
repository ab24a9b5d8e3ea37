import { useLingui } from '@lingui/react/macro';
import { Check, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { TextField } from 'react-aria-components/TextField';
import { Button } from './button.tsx';
import styles from './copy-field.module.css';
import fieldStyles from './field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onCopied?: () => void;
}

/** A text to copy: an address, a command, a secret. */
export function CopyField({ label, value, onCopied }: Props) {
  const { t } = useLingui();
  const input = useRef<HTMLInputElement>(null);
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    // Selected, so that the person can copy it where the browser does not let us.
    input.current?.select();
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      return;
    }
    setCopied(true);
    onCopied?.();
  }
  return (
    <div className={styles['field']}>
      <TextField isReadOnly value={value} className={`${fieldStyles['field']} ${styles['text']}`}>
        <Label className={fieldStyles['label'] ?? ''}>{label}</Label>
        <Input
          ref={input}
          className={`${fieldStyles['input']} ${styles['value']}`}
          dir="ltr"
          translate="no"
          autoComplete="off"
        />
      </TextField>
      <Button onPress={copy} aria-label={t`Copy: ${label}`}>
        {isCopied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
        {isCopied ? t`Copied` : t`Copy`}
      </Button>
      <span role="status" className="unseen">
        {isCopied ? t`Copied` : ''}
      </span>
    </div>
  );
}
