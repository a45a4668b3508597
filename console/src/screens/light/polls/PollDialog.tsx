import { Modal, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { families } from '../../../../../catalogue/families/index.ts';
import { createCommand, listCommands } from '../../../../../contract/light/commands.ts';
import { useSend } from '../../../api/index.ts';
import { useOpen } from '../../../frame/index.ts';
import { useNames } from '../../../locales/catalogue-names.ts';
import { dialogStyles } from '../../../parts/form/index.ts';
import { Refusal } from '../../../parts/index.ts';
import { inPreview } from '../../../session/index.ts';
import { PlacePicker, usePlace } from '../../../parts/commands/PlacePicker.tsx';
import { useRequestIds } from '../../../parts/commands/request-id.ts';
import styles from './polls.module.css';

const lamp = 'single-lamp-controller';
/** Families that can be asked for a reading. */
const readable = families
  .filter((family) => family.commands.some((command) => command.key === 'read'))
  .map(({ key }) => key);

/** Which devices are read now; the answers come on a page of their own. */
export function PollDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('commands');
  const id = useId();
  const names = useNames();
  const open = useOpen();
  const [place, setPlace] = usePlace();
  const [kinds, setKinds] = useState<readonly string[]>([lamp]);
  const create = useSend(createCommand, [listCommands], { quiet: true });
  const requests = useRequestIds();
  const ready = place.id !== null && kinds.length > 0;
  const send = async (): Promise<void> => {
    if (place.id === null) return;
    const onlyLamps = kinds.length === 1 && kinds[0] === lamp;
    const body = { scope: { [place.by]: place.id, ...(onlyLamps ? {} : { families: [...kinds] }) }, command: 'read' };
    const made = await create.mutateAsync({ body: { ...body, requestId: requests.of(body) } }).catch(() => null);
    if (!made) return;
    onClose();
    open('lamp/command', { params: { id: made.id } });
  };
  return (
    <Modal
      open
      title={t('polls.dialog')}
      okText={t('polls.now')}
      cancelText={t('dialog.back')}
      okButtonProps={{ disabled: !ready || inPreview(), loading: create.isPending }}
      onOk={() => void send()}
      onCancel={onClose}
      width={500}
      destroyOnHidden
    >
      <div className={dialogStyles.dialog}>
        <p>{t('polls.about')}</p>
        <PlacePicker value={place} onChange={setPlace} />
        <div className={styles.field}>
          <label htmlFor={`${id}-kinds`}>{t('polls.families')}</label>
          <Select<string[]>
            id={`${id}-kinds`}
            mode="multiple"
            value={[...kinds]}
            onChange={setKinds}
            maxTagCount="responsive"
            showSearch={{ optionFilterProp: 'label' }}
            options={readable.map((key) => ({ value: key, label: names.family(key) }))}
          />
        </div>
        {create.error ? <Refusal error={create.error} /> : null}
      </div>
    </Modal>
  );
}
