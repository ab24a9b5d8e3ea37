import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import { meQuery } from '../../api/me.ts';
import { offerOwnership, offerQuery, withdrawOwnership } from '../../api/team.ts';
import { Button } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { LocalMoment } from '../../components/moment.tsx';
import { Notice } from '../../components/notice.tsx';
import { PasswordAgain } from '../../components/password-again.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { Section } from '../../components/section.tsx';
import { TextField } from '../../components/text-field.tsx';
import { UnsentEmails } from '../../components/unsent-emails.tsx';

/** Offers the show to somebody else, and withdraws the offer. */
export function Handover({ podcastId }: { readonly podcastId: string }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const offer = useQuery(offerQuery(podcastId));
  const [isOpen, setOpen] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: offerQuery(podcastId).queryKey });
  const withdraw = useMutation({
    mutationFn: () => withdrawOwnership(podcastId),
    onSuccess: again,
  });
  return (
    <Section
      title={t`Transfer ownership`}
      about={
        <Trans>
          The show and all its content move to someone else’s account and plan. You stay on the team
          as an admin. Nothing moves until they accept.
        </Trans>
      }
    >
      <QueryView query={offer}>
        {(open) => {
          if (open !== null) {
            return (
              <>
                <UnsentEmails />
                <Notice
                  tone="info"
                  action={
                    <Button
                      size="small"
                      isPending={withdraw.isPending}
                      onPress={() => withdraw.mutate()}
                    >
                      {t`Withdraw the offer`}
                    </Button>
                  }
                >
                  <Trans>
                    Offered to <strong>{open.email}</strong>, open until{' '}
                    <LocalMoment of={open.expires_at} />.
                  </Trans>
                </Notice>
              </>
            );
          }
          if (!isOpen) {
            return <Button onPress={() => setOpen(true)}>{t`Transfer ownership`}</Button>;
          }
          return (
            <OfferForm
              podcastId={podcastId}
              onClose={() => {
                setOpen(false);
                void again();
              }}
            />
          );
        }}
      </QueryView>
    </Section>
  );
}

interface OfferProps {
  readonly podcastId: string;
  readonly onClose: () => void;
}

function OfferForm({ podcastId, onClose }: OfferProps) {
  const { t } = useLingui();
  const me = useQuery(meQuery);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const offer = useMutation({
    mutationFn: () => offerOwnership(podcastId, { email, current_password: password }),
    onSuccess: onClose,
  });
  return (
    <Form
      onSubmit={offer.mutate}
      submit={t`Send the offer`}
      isPending={offer.isPending}
      error={offer.error}
      fields={['email', 'current_password']}
      beside={<Button kind="quiet" onPress={onClose}>{t`Cancel`}</Button>}
    >
      <TextField
        label={t`New owner’s email address`}
        type="email"
        autoComplete="off"
        autoFocus
        value={email}
        onChange={setEmail}
        problem={problemOf(offer.error, 'email')}
      />
      <PasswordAgain
        email={me.data?.user.email ?? ''}
        value={password}
        onChange={setPassword}
        problem={problemOf(offer.error, 'current_password')}
      />
    </Form>
  );
}
