import antd from 'antd/es/locale/fr_FR';
import dayjs from 'dayjs/locale/fr';

export default { antd, dayjs: dayjs.name };
