import antd from 'antd/es/locale/zh_CN';
import dayjs from 'dayjs/locale/zh-cn';

export default { antd, dayjs: dayjs.name };
