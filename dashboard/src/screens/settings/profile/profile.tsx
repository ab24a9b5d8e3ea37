import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { meQuery } from '../../../api/me.ts';
import { LinkButton } from '../../../components/link-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Page } from '../../../components/page.tsx';
import { QueryView } from '../../../components/query-view.tsx';
import { Section } from '../../../components/section.tsx';
import { EmailForm } from './email-form.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { NameForm } from './name-form.tsx';

export function Profile() {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  return (
    <Page title={t`Profile`}>
      <QueryView query={me}>
        {({ user, terms }) => (
          <>
            {!terms.accepted && <NewTerms />}
            <Section
              title={t`Your name`}
              about={<Trans>The people you work with see this name.</Trans>}
            >
              <NameForm name={user.name} />
            </Section>
            <Section
              title={t`Email address`}
              about={
                <Trans>
                  You sign in with it, and our emails go there. A new address counts when you have
                  opened the link that we send to it.
                </Trans>
              }
            >
              <EmailForm email={user.email} />
            </Section>
            <Section
              title={t`Language`}
              about={<Trans>Of this app, in this browser. Your shows keep theirs.</Trans>}
            >
              <LanguageChoice />
            </Section>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function NewTerms() {
  return (
    <Notice
      tone="warn"
      action={
        <LinkButton to="/settings/terms" size="small">
          <Trans>Review the terms</Trans>
        </LinkButton>
      }
    >
      <Trans>
        There are new terms of service. Until you accept them, your API keys cannot read what is
        private.
      </Trans>
    </Notice>
  );
}
