import { Button } from 'antd';
import { useId, useRef, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { getCurrentUser } from '../../../../../contract/specified/account.ts';
import type { ReplyOf } from '../../../../../contract/route.ts';
import { ask } from '../../../frame/ask.ts';
import { useTab, useUnsaved } from '../../../frame/index.ts';
import { useCall } from '../../../api/index.ts';
import { FormFoot, formStyles, showFirstProblem } from '../../../parts/form/index.ts';
import { Card, ErrorState, Icon, Page, PageBar, Skeleton, toast, useErrorText } from '../../../parts/index.ts';
import { dismissToast } from '../../../frame/toast-store.ts';
import { inPreview } from '../../../session/index.ts';
import { AvatarCard, PersonCards } from '../../../parts/people/user-form/Fields.tsx';
import { useUserForm } from '../../../parts/people/user-form/use-user-form.ts';
import { ChangePassword } from './ChangePassword.tsx';
import styles from './profile.module.css';

type Me = ReplyOf<typeof getCurrentUser>;

/** The personal centre (specified 3.11): what the account says of its owner, and its password. */
export default function Profile() {
  const { t } = useTranslation('profile');
  const user = useCall(getCurrentUser, {}, { staleTime: 0 });
  const [loaded, setLoaded] = useState<Me | null>(null);
  // The form starts from what is stored now; what comes later does not overwrite what is typed.
  if (loaded === null && user.data && !user.isFetching) setLoaded(user.data);
  if (loaded !== null) return <ProfileForm me={loaded} />;
  return (
    <Page>
      <PageBar title={t('title')} />
      <Card>
        {user.isError && !user.isFetching ? (
          <ErrorState title={t('failed.load')} error={user.error} onRetry={user.refetch} />
        ) : (
          <Skeleton rows={8} height={480} />
        )}
      </Card>
    </Page>
  );
}

function ProfileForm({ me }: { me: Me }) {
  const { t } = useTranslation('profile');
  const { t: words } = useTranslation('user-form');
  const tab = useTab();
  const base = useId();
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = useUserForm(me, 'own');
  const [changing, setChanging] = useState(false);
  const told = useRef<number>(undefined);
  const readOnly = inPreview();
  const count = Object.keys(form.problems).length;
  useUnsaved(form.changed && !form.busy);
  const forgetTold = (): void => {
    if (told.current !== undefined) dismissToast(told.current);
    told.current = undefined;
  };
  const back = (): void => {
    if (!form.changed) return tab.close('home');
    void ask({ kind: 'unsaved', pages: [{ title: t('title'), language: 'self-edit' }] }).then((agreed) => {
      if (agreed) tab.close('home');
    });
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    forgetTold();
    const outcome = await form.submit();
    if (outcome.kind === 'saved') {
      toast.done(t('done'));
      return tab.close('home');
    }
    // Nothing pops up unless the server replied (specified 3.11); the foot says it either way.
    if (outcome.kind === 'refused' && outcome.failure?.kind === 'problem')
      told.current = toast.failed(t('failed.save'));
    showFirstProblem(element.current);
  };
  return (
    <Page>
      <PageBar
        title={t('title')}
        actions={
          <Button icon={<Icon name="lock" size={14} />} disabled={readOnly} onClick={() => setChanging(true)}>
            {t('changePassword')}
          </Button>
        }
      />
      <form
        ref={element}
        className={formStyles.form}
        onSubmit={(event) => void submit(event)}
        onInput={forgetTold}
        noValidate
        aria-busy={form.busy}
      >
        {readOnly ? (
          <p className={formStyles.notice} role="status">
            <Icon name="lock" size={14} />
            {words('edit.preview')}
          </p>
        ) : null}
        <div className={styles.columns}>
          <AvatarCard base={base} form={form} loaded={me} accept={['png', 'jpeg']} disabled={readOnly} />
          <div className={styles.cards}>
            <AccountCard me={me} />
            <PersonCards base={base} form={form} disabled={readOnly} />
          </div>
        </div>
        <FormFoot
          labels={{ submit: t('save'), reset: words('reset'), back: words('back') }}
          busy={form.busy}
          blocked={readOnly}
          doing={t('saving')}
          failures={[
            form.failure === null
              ? undefined
              : count > 0
                ? t('failed.save')
                : `${t('failed.save')} · ${errorText(form.failure)}`,
            count > 0 ? words('problems', { n: count }) : undefined,
          ]}
          onReset={form.reset}
          onBack={back}
        />
      </form>
      <ChangePassword open={changing} me={me} onClose={() => setChanging(false)} />
    </Page>
  );
}

/** What only others may change. */
function AccountCard({ me }: { me: Me }) {
  const { t } = useTranslation('profile');
  // Specified 3.2: 0 is administrator, 1 to 5 show as A to E.
  const level =
    me.treeLevel === 0 ? t('administrator') : t('levelLetter', { letter: 'ABCDE'[me.treeLevel - 1] ?? '—' });
  const roles = me.roleNames
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .join(t('separator'));
  const rows = [
    [t('username'), me.username],
    [t('nickname'), me.nickname],
    [t('level'), level],
    [t('roles'), roles],
  ] as const;
  return (
    <Card title={t('account')}>
      <dl className={styles.facts}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
