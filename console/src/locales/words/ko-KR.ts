import antd from 'antd/es/locale/ko_KR';
import dayjs from 'dayjs/locale/ko';

export default { antd, dayjs: dayjs.name };
