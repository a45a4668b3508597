import { Button, Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { requestOf } from '../../api/index.ts';
import { toast } from '../../frame/toast-store.ts';
import { Icon } from '../icons/Icon.tsx';

/** What can be done with the list as it is shown: its request as a curl line or as a URL, without the token. */
export function ListMenu({ refetch }: { refetch: object }) {
  const { t } = useTranslation('lists');
  const copy = async (form: 'curl' | 'url'): Promise<void> => {
    const request = requestOf(refetch);
    if (request === undefined) return void toast.failed(t('request.unknown'));
    try {
      await navigator.clipboard.writeText(request[form]);
      toast.done(t(form === 'curl' ? 'request.copied' : 'request.copiedUrl'));
    } catch {
      toast.failed(t('request.noCopy'));
    }
  };
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'curl', icon: <Icon name="document" size={14} />, label: t('request.curl') },
          { key: 'url', icon: <Icon name="globe" size={14} />, label: t('request.url') },
        ],
        onClick: ({ key }) => void copy(key === 'url' ? 'url' : 'curl'),
      }}
    >
      <Button
        type="text"
        aria-label={t('tools.more')}
        title={t('tools.more')}
        aria-haspopup="menu"
        icon={<Icon name="more" />}
      />
    </Dropdown>
  );
}
