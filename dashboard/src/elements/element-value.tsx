import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ElementValue } from '../../../server/src/lib/fields/feed-elements.ts';
import { Checkbox } from '../components/checkbox.tsx';
import { NativeSelect } from '../components/native-select.tsx';
import { TextField } from '../components/text-field.tsx';
import { WebsiteField } from '../components/website-field.tsx';
import { readersZone } from '../lib/time-zone.ts';
import { localTimeOf, timeOfLocal } from './local-time.ts';
import { choiceOf, hintOf, labelOf } from './say-element.ts';

export type SimpleValue = string | number | boolean;

interface Props {
  /** The path of the value in the list: `location.geo`. */
  readonly path: string;
  readonly spec: Exclude<ElementValue, { readonly kind: 'elements' }>;
  readonly value: SimpleValue | undefined;
  /** Undefined: it has no value. */
  readonly onChange: (value: SimpleValue | undefined) => void;
  readonly problem: string | undefined;
}

/** The control of one value of a feed element, by its kind. */
export function ElementValueField({ path, spec, value, onChange, problem }: Props) {
  const { t } = useLingui();
  const label = labelOf(path, spec.label);
  const hint = spec.hint === undefined ? undefined : hintOf(path, spec.hint);
  const isRequired = spec.required === true;
  const text = {
    label,
    ...(hint !== undefined && { hint }),
    problem,
    isRequired,
    value: String(value ?? ''),
    onChange: (typed: string) => onChange(typed === '' ? undefined : typed),
  };
  switch (spec.kind) {
    case 'flag':
      return (
        <Checkbox
          isSelected={value === true}
          onChange={(isSelected) => onChange(isSelected || undefined)}
        >
          {label}
        </Checkbox>
      );
    case 'choice':
      return <ChoiceField {...text} path={path} choices={spec.choices} />;
    case 'whole':
    case 'seconds':
      return <NumberField {...text} onChange={onChange} isWhole={spec.kind === 'whole'} />;
    case 'moment':
    case 'expiry':
      return (
        <TextField
          {...text}
          hint={[hint, t`Time zone: ${readersZone()}`].filter(Boolean).join(' ')}
          type="datetime-local"
          value={localTimeOf(text.value)}
          onChange={(local) => onChange(timeOfLocal(local))}
        />
      );
    case 'day':
      return <TextField {...text} type={/T/.test(text.value) ? 'text' : 'date'} />;
    case 'url':
      return <WebsiteField {...text} />;
    case 'text':
      return <TextField {...text} maxLength={spec.max} {...(spec.max > 1000 && { rows: 2 })} />;
    default:
      return <TextField {...text} />;
  }
}

interface TextProps {
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | undefined;
  readonly isRequired: boolean;
  readonly value: string;
}

interface ChoiceProps extends TextProps {
  readonly path: string;
  readonly choices: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}

function ChoiceField({ path, choices, isRequired, ...props }: ChoiceProps) {
  const { t } = useLingui();
  const { value } = props;
  // A feed may bring another one.
  const isOther = value !== '' && !Object.hasOwn(choices, value);
  return (
    <NativeSelect {...props}>
      {(!isRequired || value === '') && <option value="">{t`Not stated`}</option>}
      {isOther && <option value={value}>{value}</option>}
      {Object.entries(choices).map(([choice, label]) => (
        <option key={choice} value={choice}>
          {choiceOf(`${path}.${choice}`, label)}
        </option>
      ))}
    </NativeSelect>
  );
}

interface NumberProps extends TextProps {
  readonly isWhole: boolean;
  readonly onChange: (value: number | undefined) => void;
}

/** Only digits, and a point if it need not be whole, can be typed. */
function NumberField({ isWhole, value, onChange, ...props }: NumberProps) {
  // "7." is not a number yet.
  const [typed, setTyped] = useState(value);
  const shown =
    Number(typed) === Number(value) && (typed === '') === (value === '') ? typed : value;
  return (
    <TextField
      {...props}
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={shown}
      onChange={(text) => {
        const digits = text.replace(',', '.').replace(isWhole ? /\D/g : /[^\d.]/g, '');
        const number = Number(digits);
        setTyped(digits);
        onChange(digits === '' || Number.isNaN(number) ? undefined : number);
      }}
    />
  );
}
