import { Trans, useLingui } from '@lingui/react/macro';
import type { OwnDomain } from '../../../api/domain.ts';
import { editShow, type ShowSettings } from '../../../api/show-settings.ts';
import { CopyField } from '../../../components/copy-field.tsx';
import { FailureText } from '../../../components/failure-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { Switch } from '../../../components/switch.tsx';
import { useShowWrite } from '../use-show-write.ts';

interface Props {
  readonly show: ShowSettings;
  readonly domain: OwnDomain;
}

/** Whether podcast apps are led to the feed on the domain. */
export function FeedRedirect({ show, domain }: Props) {
  const { t } = useLingui();
  const { host } = domain;
  const redirects = show.redirect_feed;
  const write = useShowWrite(show, {
    write: (revision) => editShow(show.id, revision, { redirect_feed: !redirects }),
    parts: () => ['redirect_feed'],
  });
  return (
    <Section
      title={t`Feed`}
      about={
        <>
          <p>
            <Trans>
              The feed is at both URLs. Redirect the old one once the domain has worked for a few
              days and you have opened the new feed in a podcast app.
            </Trans>
          </p>
          <p>
            <Trans>
              Apps that follow the redirect forget the old URL. So only turn it on if you’ll keep{' '}
              {host}.
            </Trans>
          </p>
        </>
      }
    >
      {!show.may.move && (
        <Notice tone="info">
          <Trans>Only the show’s owner can change this.</Trans>
        </Notice>
      )}
      <CopyField label={t`Feed on your domain`} value={show.links.feed} />
      <Switch
        isSelected={redirects}
        isDisabled={!show.may.move || write.isPending}
        onChange={write.save}
      >{t`Redirect the old feed URL`}</Switch>
      {write.error !== null && (
        <Notice tone="bad">
          <FailureText error={write.error} />
        </Notice>
      )}
    </Section>
  );
}
