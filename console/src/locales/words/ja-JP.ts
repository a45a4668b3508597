import antd from 'antd/es/locale/ja_JP';
import dayjs from 'dayjs/locale/ja';

export default { antd, dayjs: dayjs.name };
