import { Button, Select } from 'antd';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useQueryClient } from '@tanstack/react-query';
import { families, familyOf } from '../../../../../catalogue/families/index.ts';
import { getImport, getImportTemplate, listImports, uploadImport } from '../../../../../contract/register/imports.ts';
import { ApiError, callKey, download, upload } from '../../../api/index.ts';
import { usePermission, useTabTitle } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { Alert, Card, formatPercent, Icon, NoPermission, toast, useErrorText } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { Frame } from './Frame.tsx';
import { KeptMappings } from './KeptMappings.tsx';
import { Progress } from './Progress.tsx';
import type { ImportAddress } from './use-import.ts';
import styles from './imports.module.css';

const mostBytes = 64 * 1024 * 1024;
interface Sending {
  readonly name: string;
  readonly share: number;
}

/** Sends the file and opens what became of it; `problem` says in words why it was not taken. */
function useUpload(family: string, onUploaded: (id: number) => void) {
  const { t } = useTranslation('imports');
  const errorText = useErrorText();
  const client = useQueryClient();
  const [sending, setSending] = useState<Sending | null>(null);
  const [problem, setProblem] = useState<{ name: string; what?: string; text: string } | null>(null);
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  async function send(file: File): Promise<void> {
    const refuse = (text: string, what?: string): void =>
      setProblem({ name: file.name, text, ...(what === undefined ? {} : { what }) });
    if (file.size > mostBytes) return refuse(t('file.tooLarge'));
    if (file.size === 0) return refuse(t('file.empty'));
    const controller = new AbortController();
    stop.current = controller;
    setProblem(null);
    setSending({ name: file.name, share: 0 });
    try {
      const one = await upload(uploadImport, { query: { family, name: file.name.slice(-200) } }, file, {
        signal: controller.signal,
        onProgress: (share) => setSending({ name: file.name, share }),
      });
      client.setQueryData(callKey(getImport, { params: { id: one.id } }), one);
      void client.invalidateQueries({ queryKey: callKey(listImports) });
      onUploaded(one.id);
    } catch (error) {
      if (!(error instanceof ApiError && error.kind === 'aborted'))
        refuse(errorText(error), error instanceof ApiError ? error.problem?.title : undefined);
    } finally {
      setSending(null);
    }
  }
  return { sending, problem, send, stop: () => stop.current?.abort() };
}

/** The first step: for which family, and which file. */
export function FileStep({ family: wanted, address }: { family: string; address: ImportAddress }) {
  const { t, i18n } = useTranslation('imports');
  const names = useNames();
  const errorText = useErrorText();
  const may = usePermission('device.import');
  useTabTitle(t('new'));
  const [family, setFamily] = useState<string | null>(familyOf(wanted) ? wanted : null);
  const { sending, problem, send, stop } = useUpload(family ?? '', (id) => address.show(id));
  const template = (key: string): void => {
    download(getImportTemplate, { params: { family: key } }, `${key}.xlsx`, { quiet: true }).catch((error: unknown) =>
      toast.failed(errorText(error)),
    );
  };
  return (
    <Frame title={t('new')} at="file" address={address}>
      <Card>
        {may && !inPreview() ? (
          <div className={styles.fileStep}>
            <div className={styles.field}>
              <label htmlFor="import-family">{t('file.family')}</label>
              <div className={styles.row}>
                <Select
                  id="import-family"
                  className={styles.family ?? ''}
                  value={family}
                  placeholder={t('file.familyChoose')}
                  showSearch={{ optionFilterProp: 'label' }}
                  disabled={sending !== null}
                  options={families.map(({ key }) => ({ value: key, label: names.family(key) }))}
                  onChange={setFamily}
                />
                <Button
                  disabled={family === null}
                  icon={<Icon name="download" size={14} />}
                  onClick={() => family && template(family)}
                >
                  {t('file.template')}
                </Button>
              </div>
              <p className={styles.hint}>{t('file.templateHint')}</p>
            </div>
            {problem ? (
              <Alert title={t('file.refused', { name: problem.name })}>
                {problem.what === undefined ? null : <p className={styles.what}>{problem.what}</p>}
                {problem.text}
              </Alert>
            ) : null}
            {sending ? (
              <Progress
                label={t('file.sending', { name: sending.name })}
                share={sending.share}
                text={
                  sending.share < 1 ? formatPercent(Math.floor(sending.share * 100), i18n.language) : t('file.reading')
                }
                onStop={stop}
              />
            ) : (
              <DropZone disabled={family === null} onFile={(file) => void send(file)} />
            )}
          </div>
        ) : (
          <NoPermission code="device.import" />
        )}
      </Card>
      {family === null || !may ? null : <KeptMappings family={family} />}
    </Frame>
  );
}

function DropZone({ disabled, onFile }: { disabled: boolean; onFile: (file: File) => void }) {
  const { t } = useTranslation('imports');
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drag = (event: DragEvent): void => {
    event.preventDefault();
    setOver(!disabled);
  };
  const take = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !disabled) onFile(file);
  };
  return (
    <div
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={take}
    >
      <Icon name="document" size={28} />
      <p className={styles.dropTitle}>{disabled ? t('file.familyFirst') : t('file.drop')}</p>
      <Button type="primary" disabled={disabled} onClick={() => input.current?.click()}>
        {t('file.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".xlsx,.csv,.txt,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        data-testid="import-file"
        disabled={disabled}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
      <p className={styles.hint}>{t('file.kinds')}</p>
    </div>
  );
}
