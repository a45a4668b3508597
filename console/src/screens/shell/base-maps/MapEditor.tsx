import { Button } from 'antd';
import { useRef, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { asksService, type BaseMapKind } from '../../../../../catalogue/base-maps.ts';
import { useBaseMapName } from '../../../parts/map/base-maps/use-base-map.ts';
import { Card, Icon, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { MapFields } from './MapFields.tsx';
import { Trial } from './Trial.tsx';
import { useMapForm } from './use-map-form.ts';
import type { BaseMapSetting } from './map-values.ts';
import styles from './base-maps.module.css';

interface Props {
  kind: BaseMapKind;
  stored: BaseMapSetting | null;
  place: { longitude: number; latitude: number } | null;
  onDirty: (dirty: boolean) => void;
  onSaved: (saved: BaseMapSetting) => void;
  onRemove: (stored: BaseMapSetting) => void;
  onCancelNew: () => void;
  onReload: () => void;
}

/** One base map: its settings, and beside them what its service answers while one types. */
export function MapEditor({ kind, stored, place, onDirty, onSaved, onRemove, onCancelNew, onReload }: Props) {
  const { t } = useTranslation('base-maps');
  const nameOf = useBaseMapName();
  const errorText = useErrorText();
  const element = useRef<HTMLFormElement>(null);
  const form = useMapForm(kind, stored, onDirty);
  const readOnly = inPreview();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const saved = await form.submit();
    if (saved) {
      toast.done(t('saved'));
      return onSaved(saved);
    }
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const problems = Object.keys(form.errors).length;
  const isStale = form.failure?.status === 409;
  return (
    <>
      <Card title={stored ? nameOf(stored) : t('new.title', { kind: t(`kind.${kind}`) })}>
        <form ref={element} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
          <p className={styles.hint}>{t(`about.${kind}`)}</p>
          <MapFields kind={kind} stored={stored} form={form} readOnly={readOnly} />
          {form.failure ? (
            <p className={styles.failure} role="alert">
              <Icon name="warning" size={14} />
              <span>
                {t('failed')} · {errorText(form.failure)}{' '}
                {isStale ? (
                  <Button size="small" onClick={onReload}>
                    {t('reload')}
                  </Button>
                ) : null}
              </span>
            </p>
          ) : null}
          <div className={styles.foot}>
            {stored && asksService(kind) ? (
              <Button className={styles.remove ?? ''} danger disabled={readOnly} onClick={() => onRemove(stored)}>
                {t('delete')}
              </Button>
            ) : null}
            {problems > 0 ? (
              <span className={styles.error} role="alert">
                <Icon name="warning" size={13} />
                {t('problems', { n: problems })}
              </span>
            ) : null}
            {stored === null ? (
              <Button onClick={onCancelNew}>{t('cancel')}</Button>
            ) : (
              <Button disabled={!form.dirty || form.saving} onClick={form.undo}>
                {t('undo')}
              </Button>
            )}
            <Button
              type="primary"
              htmlType="submit"
              loading={form.saving}
              disabled={form.saving || form.sending || readOnly || (stored !== null && !form.dirty)}
            >
              {t('save')}
            </Button>
          </div>
        </form>
      </Card>
      {asksService(kind) ? (
        <Card title={t('trial')}>
          <Trial kind={kind} stored={stored} values={form.values} place={place} />
        </Card>
      ) : null}
    </>
  );
}
