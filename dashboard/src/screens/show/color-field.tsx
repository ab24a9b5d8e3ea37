import { Trans } from '@lingui/react/macro';
import { useId } from 'react';
import { Button } from '../../components/button.tsx';
import fieldStyles from '../../components/field.module.css';
import styles from './show.module.css';

interface Props {
  readonly label: string;
  /** `#rrggbb`; empty: none was chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
}

const unset = '#888888';

/** A color, or none: then pages take theirs from the cover. */
export function ColorField({ label, value, onChange, problem }: Props) {
  const id = useId();
  return (
    <div className={fieldStyles['field']}>
      <label htmlFor={id} className={fieldStyles['label']}>
        {label}
      </label>
      <div className={styles['color']}>
        <input
          id={id}
          type="color"
          value={value === '' ? unset : value}
          onChange={({ target }) => onChange(target.value)}
        />
        {value === '' ? (
          <span className="meta">
            <Trans>None: it follows the cover</Trans>
          </span>
        ) : (
          <>
            <code>{value}</code>
            <Button size="small" kind="quiet" onPress={() => onChange('')}>
              <Trans>Remove</Trans>
            </Button>
          </>
        )}
      </div>
      {problem !== undefined && <span className={fieldStyles['problem']}>{problem}</span>}
    </div>
  );
}
