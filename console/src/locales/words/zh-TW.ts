import antd from 'antd/es/locale/zh_TW';
import dayjs from 'dayjs/locale/zh-tw';

export default { antd, dayjs: dayjs.name };
