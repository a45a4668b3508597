import { Button, Input } from 'antd';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { publicationBounds } from '../../../../../contract/light/publications.ts';
import { useOpen, useTab, useTabTitle } from '../../../frame/index.ts';
import { Field, formStyles } from '../../../parts/form/index.ts';
import { Alert, Card, Icon, Page, PageBar, Refusal } from '../../../parts/index.ts';
import { usePolicy } from '../../../parts/commands/send/use-send-form.ts';
import { usePublicationWords } from '../../../parts/publishing/words.ts';
import { inPreview } from '../../../session/index.ts';
import { PreviewCard } from './PreviewCard.tsx';
import { RolloutFields } from './RolloutFields.tsx';
import { ScopeFields } from './ScopeFields.tsx';
import { usePublishForm, type PublishForm } from './use-publish-form.ts';
import { WhatFields } from './WhatFields.tsx';
import styles from './publish.module.css';

/** Publishes a version to lamps: what, to whom, what would happen, how it begins, and why. */
export default function Publish() {
  const { t } = useTranslation('publish');
  const element = useRef<HTMLFormElement>(null);
  const form = usePublishForm(element);
  useTabTitle(t('title'));
  return (
    <Page>
      <PageBar title={t('title')} note={t('note')} />
      <form
        ref={element}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.publish();
        }}
      >
        <div className={styles.asked}>
          <Card title={t('what')}>
            <WhatFields form={form} />
          </Card>
          <Card title={t('scope')}>
            <ScopeFields
              scope={form.scope}
              onChange={form.setScope}
              problem={form.problems['scope'] ?? form.problems['scope.deviceIds']}
            />
          </Card>
        </div>
        <div className={styles.preview}>
          <PreviewCard form={form} />
        </div>
        <div className={styles.how}>
          <Card title={t('how')}>
            <RolloutFields form={form} />
          </Card>
          <Card title={t('why')}>
            <Reason form={form} />
          </Card>
        </div>
        <Foot form={form} />
      </form>
    </Page>
  );
}

function Reason({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const id = useId();
  const policy = usePolicy();
  const needed = form.found?.needsSecond === true;
  return (
    <>
      {needed ? (
        <div className={styles.second}>
          <Alert kind="note" title={t('second.title')}>
            {t('second.text', { minutes: policy?.approvalMinutes ?? '—' })}
          </Alert>
        </div>
      ) : null}
      <Field
        id={id}
        label={t(needed ? 'reason' : 'reason.optional')}
        required={needed}
        hint={t('reason.hint')}
        problem={form.problems['reason']}
        wide
      >
        {(tie) => (
          <Input.TextArea
            {...tie}
            autoSize={{ minRows: 2, maxRows: 5 }}
            maxLength={publicationBounds.reason}
            value={form.reason}
            aria-required={needed}
            onChange={(event) => form.setReason(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

/** Stays in sight: to how many lamps, and what keeps from publishing. */
function Foot({ form }: { form: PublishForm }) {
  const { t } = useTranslation('publish');
  const { number } = usePublicationWords();
  const open = useOpen();
  const { close } = useTab();
  const { found, errors, problems, failure, busy } = form;
  const n = number(found === undefined ? 0 : found.lamps - found.cannot.reduce((sum, one) => sum + one.count, 0));
  const count = Object.keys(problems).length;
  const conflict = failure?.problem?.['id'];
  const says =
    count > 0
      ? t('problems', { n: count })
      : errors.length > 0
        ? t('blocked', { n: errors.length })
        : form.isWhole && found === undefined && form.refused === null
          ? t('asking')
          : '';
  return (
    <>
      {failure === null ? null : (
        <div className={styles.failure}>
          <Refusal error={failure}>
            {typeof conflict === 'number' ? (
              <div>
                <Button onClick={() => open('lamp/publication', { params: { id: conflict } })}>
                  {t('conflict.show', { id: conflict })}
                </Button>
              </div>
            ) : null}
          </Refusal>
        </div>
      )}
      <div className={`${formStyles.foot} ${styles.foot}`}>
        <Button
          type="primary"
          htmlType="submit"
          loading={busy}
          disabled={busy || inPreview() || errors.length > 0 || (form.isWhole && found === undefined)}
          icon={<Icon name="upload" size={14} />}
        >
          {found === undefined ? t('ok') : t(found.needsSecond ? 'ok.second' : 'ok.lamps', { n })}
        </Button>
        <Button type="text" onClick={() => close()}>
          {t('back')}
        </Button>
        <div className={formStyles.says}>
          <span role="status" className={count > 0 || errors.length > 0 ? (formStyles.error ?? '') : ''}>
            {says}
          </span>
        </div>
      </div>
    </>
  );
}
