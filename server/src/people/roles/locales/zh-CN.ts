import type { RoleTexts } from '../texts.ts';

const zhCN: RoleTexts = {
  created: '角色创建成功！',
  saved: '角色保存成功！',
  deleted: '角色删除成功！',
  narrowed: '其下 {n} 个角色同时失去了被移除的菜单。',
  nameTaken: '角色名称已存在',
  between: '、',
};

export default zhCN;
