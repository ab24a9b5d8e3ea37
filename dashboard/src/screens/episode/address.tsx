import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '../../components/text-field.tsx';
import { useEditing, useField } from './editing.ts';
import { Section } from './section.tsx';

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
        maxLength={100}
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
