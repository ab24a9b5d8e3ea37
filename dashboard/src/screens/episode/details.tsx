import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { AiContentSelect } from '../../components/ai-content-select.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useEditing, useField, useOptionalText } from './editing.ts';
import styles from './episode.module.css';
import type { EpisodeFields } from './episode-fields.ts';
import { Section } from './section.tsx';

/** What lists and apps show of the episode. */
export function Details() {
  const { t } = useLingui();
  return (
    <Section title={t`Details`}>
      <TextField label={t`Title`} wraps {...useField('title')} />
      <TextField
        label={t`Subtitle`}
        hint={t`One line that some apps show below the title.`}
        {...useOptionalText('subtitle')}
      />
      <div className={styles['row']}>
        <NumberText label={t`Season`} name="season" />
        <NumberText label={t`Episode number`} name="episode_number" />
        <TypeSelect />
      </div>
      <Explicit />
      <details className={styles['more']}>
        <summary>
          <Trans>More details</Trans>
        </summary>
        <TextField label={t`Season name`} {...useOptionalText('season_name')} />
        <TextField
          label={t`Displayed number`}
          hint={t`If it isn’t a plain number, for example “Special 2”.`}
          {...useOptionalText('episode_display')}
        />
        <TextField
          label={t`Title for Apple Podcasts`}
          hint={t`Leave out the number: Apple shows it next to the title. If empty, the title is used.`}
          {...useOptionalText('itunes_title')}
        />
        <TextField
          label={t`Episode web page`}
          type="url"
          hint={t`If empty, its page here is used.`}
          {...useOptionalText('link_url')}
        />
        <AiContent />
        <AppleBlock />
        <ToAdvanced />
      </details>
    </Section>
  );
}

function TypeSelect() {
  const { t } = useLingui();
  const { value, onChange, problem, isReadOnly } = useField('episode_type');
  return (
    <Select<EpisodeFields['episode_type']>
      label={t`Type`}
      options={[
        { value: 'full', label: t`Full episode` },
        { value: 'trailer', label: t`Trailer` },
        { value: 'bonus', label: t`Bonus` },
      ]}
      value={value}
      onChange={onChange}
      problem={problem}
      isDisabled={isReadOnly}
    />
  );
}

function Explicit() {
  const { value, onChange, isReadOnly } = useField('explicit');
  return (
    <Checkbox isSelected={value} onChange={onChange} isDisabled={isReadOnly}>
      <Trans>Explicit: has language or topics that aren’t suitable for children</Trans>
    </Checkbox>
  );
}

function AiContent() {
  const { value, onChange, problem, isReadOnly } = useField('ai_content');
  return (
    <AiContentSelect value={value} onChange={onChange} problem={problem} isDisabled={isReadOnly} />
  );
}

function AppleBlock() {
  const { value, onChange, isReadOnly } = useField('itunes_block');
  return (
    <Checkbox isSelected={value} onChange={onChange} isDisabled={isReadOnly}>
      <Trans>Hide this episode from Apple Podcasts</Trans>
    </Checkbox>
  );
}

/** The rest of what the feed can say of the episode. */
function ToAdvanced() {
  const { episode } = useEditing();
  if (!episode.may.edit) return null;
  const params = { podcastId: episode.podcast_id, episodeId: episode.id };
  return (
    <p>
      <Link to="/shows/$podcastId/episodes/$episodeId/advanced" params={params}>
        <Trans>Advanced: places, license, comments, soundbites and more</Trans>
      </Link>
    </p>
  );
}

interface Props {
  readonly label: string;
  readonly name: 'season' | 'episode_number';
}

/** A whole number or nothing. Only digits can be typed. */
function NumberText({ label, name }: Props) {
  const { value, onChange, ...field } = useField(name);
  return (
    <TextField
      {...field}
      label={label}
      inputMode="numeric"
      value={value === null ? '' : String(value)}
      onChange={(text) => {
        const digits = text.replace(/\D/g, '');
        onChange(digits === '' ? null : Number(digits));
      }}
    />
  );
}

/** The last part of the episode's address, and what happens to the old one. */
export function Address() {
  const { t } = useLingui();
  const { state, episode } = useEditing();
  const field = useField('slug');
  const changes = state.base['slug'] !== field.value;
  const page = episode.links.listen.slice(0, episode.links.listen.lastIndexOf('/') + 1);
  return (
    <Section title={t`URL`}>
      <TextField
        {...field}
        onChange={(text) => field.onChange(text.toLowerCase().replace(/[^a-z\d-]+/g, '-'))}
        label={t`URL slug`}
        hint={`${page}${field.value}`}
      />
      {(changes || episode.status === 'published') && (
        <p className="meta">
          <Trans>
            If you change it, the old URL keeps working: it redirects to the new one. Apps and
            embedded players aren’t affected.
          </Trans>
        </p>
      )}
    </Section>
  );
}
