import { Dropdown } from 'antd';

/** In a file of its own, to be fetched when it is shown. */
export default Dropdown;
