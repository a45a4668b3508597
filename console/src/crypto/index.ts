export { encryptPassword } from './encrypt-password.ts';
