import { Trans, useLingui } from '@lingui/react/macro';
import { problemOf } from '../../api/errors.ts';
import type { MyPodcast } from '../../api/podcasts.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { RadioGroup } from '../../components/radio-group.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './imports.module.css';

export interface Options {
  /** The slug of an existing show; empty: a new one. */
  readonly into: string;
  readonly slug: string;
  readonly audio: 'copy' | 'leave';
  readonly overwrite: boolean;
}

interface Props {
  readonly shows: readonly MyPodcast[];
  readonly value: Options;
  readonly onChange: (value: Options) => void;
  readonly error: unknown;
  readonly isOpen: boolean;
}

/** Options that few people need. */
export function ImportOptions({ shows, value, onChange, error, isOpen }: Props) {
  const { t } = useLingui();
  const set = (change: Partial<Options>) => onChange({ ...value, ...change });
  const hasProblem = ['slug', 'into'].some((field) => problemOf(error, field) !== undefined);
  return (
    <details className={styles['options']} open={isOpen || hasProblem}>
      <summary>
        <Trans>Options</Trans>
      </summary>
      {shows.length > 0 && (
        <Select
          label={t`Into`}
          options={[
            { value: '', label: t`A new show, or the one that came from this feed` },
            ...shows.map(({ slug, title }) => ({ value: slug, label: title })),
          ]}
          value={value.into}
          onChange={(into) => set({ into })}
          problem={problemOf(error, 'into')}
        />
      )}
      {value.into === '' ? (
        <TextField
          label={t`Address of the new show`}
          hint={t`Letters, digits and hyphens. Made from the title if you leave it empty.`}
          value={value.slug}
          onChange={(slug) => set({ slug })}
          autoComplete="off"
          problem={problemOf(error, 'slug')}
        />
      ) : (
        <Checkbox isSelected={value.overwrite} onChange={(overwrite) => set({ overwrite })}>
          <Trans>
            Replace what was changed here by what the feed says, and bring back deleted episodes
          </Trans>
        </Checkbox>
      )}
      <RadioGroup
        label={t`Audio`}
        choices={[
          { value: 'copy', label: t`Copy it here` },
          {
            value: 'leave',
            label: t`Leave it at the old host for now`,
            hint: t`Copy it before you close the account there.`,
          },
        ]}
        value={value.audio}
        onChange={(audio) => set({ audio })}
      />
    </details>
  );
}
