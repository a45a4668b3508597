import { Cascader } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { popupOf } from './Popup.tsx';
import { divisions, isDivisionCode, pathOf, type Division } from './divisions.ts';
import styles from './search.module.css';

interface Props {
  id: string;
  /** The code of a province, city or district, or empty. */
  value: string;
  onChange: (code: string) => void;
}

/** Province, city, district, each of which may be the choice; its official code is the value. The divisions come when it is opened, or to name what is chosen. */
export function RegionPicker({ id, value, onChange }: Props) {
  const { t } = useTranslation('search-fields');
  const [opened, setOpened] = useState(false);
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<readonly Division[] | 'failed' | undefined>();
  const chosen = isDivisionCode(value);
  const wanted = opened || chosen;
  useEffect(() => {
    if (!wanted) return undefined;
    let wantsIt = true;
    divisions().then((all) => { if (wantsIt) setKnown(all); }, () => { if (wantsIt) setKnown('failed'); });
    return () => { wantsIt = false; };
  }, [wanted, tries]);
  const all = typeof known === 'object' ? known : [];
  const path = chosen ? pathOf(value, all) : [];
  return (
    <Cascader<Division, 'value'>
      id={id} style={{ width: '100%' }} classNames={{ popup: { root: styles.regions ?? '' } }} options={[...all]} changeOnSelect expandTrigger="click" allowClear placeholder={t('any')} loading={wanted && known === undefined}
      showSearch={{ limit: 50, filter: (text, nodes) => nodes.some((node) => node.label.includes(text.trim()) || node.value.startsWith(text.trim())) }}
      popupRender={popupOf(id)}
      displayRender={(labels) => labels.join(' / ')} value={path.length > 0 ? path : chosen ? [value] : []} onChange={(codes) => onChange(codes?.at(-1) ?? '')}
      onOpenChange={(open) => { if (!open) return; setOpened(true); if (known === 'failed') { setKnown(undefined); setTries(tries + 1); } }}
      notFoundContent={<span role="status">{t(known === 'failed' ? 'region.failed' : known === undefined ? 'region.loading' : 'region.none')}</span>}
    />
  );
}
