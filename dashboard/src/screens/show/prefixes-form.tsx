import { Trans, useLingui } from '@lingui/react/macro';
import { Plus, X } from 'lucide-react';
import {
  maxPrefixChars,
  maxPrefixes,
  measurementServices,
} from '../../../../server/src/lib/enclosure-prefixes.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import styles from './prefixes-form.module.css';
import type { ShowFields } from './show-fields.ts';
import { ShowForm } from './show-form.tsx';

/** The services that measure downloads, in front of the audio's URLs in the feed. */
export function PrefixesForm({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  return (
    <ShowForm show={show} form="prefixes" names={['enclosure_prefixes']} hasBar>
      {(fields) => (
        <Section
          title={t`Measurement services`}
          about={
            <>
              <p>
                <Trans>
                  Sponsors may ask for downloads that another service has counted. Apps then request
                  the audio through that service, which sees your listeners’ IP addresses.
                </Trans>
              </p>
              <p>
                <Trans>
                  This only changes the feed. Downloads are still counted here, once. Apps contact
                  the first service first.
                </Trans>
              </p>
            </>
          }
        >
          <Prefixes fields={fields} />
        </Section>
      )}
    </ShowForm>
  );
}

function Prefixes({ fields }: { readonly fields: ShowFields }) {
  const { t } = useLingui();
  const prefixes = fields.value('enclosure_prefixes');
  const set = (changed: readonly string[]) => fields.set({ enclosure_prefixes: [...changed] });
  const problem = fields.problem('enclosure_prefixes');
  return (
    <>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {prefixes.length > 0 && (
        <ol className={styles['prefixes']} aria-label={t`Measurement services`}>
          {prefixes.map((prefix, index) => (
            <Prefix
              // Entries have no ids, and their fields keep no state of their own.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above.
              key={index}
              place={index + 1}
              value={prefix}
              onChange={(changed) => set(prefixes.with(index, changed))}
              onRemove={() => set(prefixes.toSpliced(index, 1))}
            />
          ))}
        </ol>
      )}
      {prefixes.length < maxPrefixes && (
        <fieldset className={styles['add']}>
          <legend className="unseen">{t`Add a service`}</legend>
          {[...measurementServices, { name: t`Another service`, prefix: 'https://' }].map(
            ({ name, prefix }) => (
              <Button key={prefix} size="small" onPress={() => set([...prefixes, prefix])}>
                <Plus size={16} aria-hidden="true" />
                {name}
              </Button>
            ),
          )}
        </fieldset>
      )}
    </>
  );
}

interface PrefixProps {
  readonly place: number;
  readonly value: string;
  readonly onChange: (prefix: string) => void;
  readonly onRemove: () => void;
}

function Prefix({ place, value, onChange, onRemove }: PrefixProps) {
  const { t } = useLingui();
  const needed = measurementServices.find(
    (service) => 'needsAccount' in service && service.prefix === value,
  )?.name;
  return (
    <li>
      <TextField
        label={t`Prefix ${place}`}
        type="url"
        value={value}
        maxLength={maxPrefixChars}
        onChange={(text) => onChange(text.trim())}
        {...(needed !== undefined && { hint: t`Add your account’s name, as ${needed} states it.` })}
      />
      <Button kind="quiet" size="icon" aria-label={t`Remove: ${value}`} onPress={onRemove}>
        <X size={16} aria-hidden="true" />
      </Button>
    </li>
  );
}
