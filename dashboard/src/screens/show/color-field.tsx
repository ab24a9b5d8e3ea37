import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useId } from 'react';
import { coverColorsQuery, type ShowSettings } from '../../api/show-settings.ts';
import fieldStyles from '../../components/field.module.css';
import styles from './color-field.module.css';

/** The default color of a show's pages with its description, and the colors of its cover. */
export function useCoverColors(show: ShowSettings) {
  const { t } = useLingui();
  const { data: swatches = [] } = useQuery(coverColorsQuery(show.artwork));
  const fromCover =
    show.artwork?.color === null
      ? t`Automatic (your cover has no strong color)`
      : t`From the cover`;
  const name = show.artwork === null ? t`From the cover, once there is one` : fromCover;
  return { own: { name, color: show.own_color }, swatches };
}

interface ColorFieldProps {
  readonly label: string;
  /** `#rrggbb`; empty: none was chosen. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  /** The default color, with its description. */
  readonly own: { readonly name: string; readonly color: string };
  /** Colors to choose from. */
  readonly swatches: readonly string[];
}

/** A color: the default, one of the cover, or any other. */
export function ColorField({ label, value, onChange, problem, own, swatches }: ColorFieldProps) {
  const { t } = useLingui();
  const id = useId();
  const isOther = value !== '' && !swatches.includes(value);
  return (
    <fieldset className={`${fieldStyles['field']} ${styles['colors']}`}>
      <legend className={fieldStyles['label']}>{label}</legend>
      <div className={styles['choices']}>
        <Choice name={id} isChosen={value === ''} color={own.color} onChoose={() => onChange('')}>
          {own.name}
        </Choice>
        {swatches.map((color) => (
          <Choice
            key={color}
            name={id}
            isChosen={value === color}
            color={color}
            label={t`${color} from the cover`}
            onChoose={() => onChange(color)}
          />
        ))}
        <label className={styles['other']} data-chosen={isOther}>
          <input
            type="color"
            value={value === '' ? own.color : value}
            onChange={({ target }) => onChange(target.value)}
          />
          <Trans>Another color</Trans>
        </label>
      </div>
      {value !== '' && <code className="meta">{value}</code>}
      {problem !== undefined && <span className={fieldStyles['problem']}>{problem}</span>}
    </fieldset>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly color: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  /** For screen readers, if there is no text beside it. */
  readonly label?: string;
  readonly children?: string;
}

function Choice({ name, color, isChosen, onChoose, label, children }: ChoiceProps) {
  return (
    <label className={styles['choice']}>
      <input
        className="unseen"
        type="radio"
        name={name}
        checked={isChosen}
        aria-label={label}
        onChange={onChoose}
      />
      {/* An SVG, because the policy allows no inline styles. */}
      <svg className={styles['swatch']} width="28" height="28" aria-hidden="true">
        <rect width="28" height="28" rx="6" fill={color} />
        {isChosen && <Check x="5" y="5" width="18" height="18" className={styles['mark']} />}
      </svg>
      {children}
    </label>
  );
}
