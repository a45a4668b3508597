import type { Language } from '../../../../catalogue/languages.ts';

/** What work groups say; the Chinese success texts are fixed (specified 6.7). */
export interface WorkGroupTexts {
  readonly created: string;
  readonly updated: string;
  readonly deleted: string;
  readonly nameRequired: string;
  readonly nameLength: string;
  readonly descriptionRequired: string;
  readonly descriptionLength: string;
  readonly membersRequired: string;
  readonly memberUnknown: string;
  readonly projectRequired: string;
  readonly projectUnknown: string;
  readonly organisationUnknown: string;
}

const all: Readonly<Record<Language, WorkGroupTexts>> = {
  'zh-CN': {
    created: '新建工作组成功！', updated: '更新工作组成功！', deleted: '删除成功！',
    nameRequired: '请填写工作组名称', nameLength: '工作组名称长度在 3 到 10 个字符', descriptionRequired: '请填写工作组描述', descriptionLength: '工作组描述长度在 3 到 18 个字符',
    membersRequired: '请选择工作组成员', memberUnknown: '所选成员不存在', projectRequired: '请选择所属项目', projectUnknown: '所选项目不存在', organisationUnknown: '所选组织不存在',
  },
  'zh-TW': {
    created: '新增工作群組成功！', updated: '工作群組已更新！', deleted: '已成功刪除！',
    nameRequired: '請填寫工作群組名稱', nameLength: '工作群組名稱長度須為 3 到 10 個字元', descriptionRequired: '請填寫工作群組說明', descriptionLength: '工作群組說明長度須為 3 到 18 個字元',
    membersRequired: '請選擇工作群組成員', memberUnknown: '選取的成員不存在', projectRequired: '請選擇所屬專案', projectUnknown: '選取的專案不存在', organisationUnknown: '選取的組織不存在',
  },
  'en-US': {
    created: 'Work group created', updated: 'Work group updated', deleted: 'Deleted',
    nameRequired: 'Please enter the work group name', nameLength: 'The work group name has 3 to 10 characters', descriptionRequired: 'Please enter the work group description', descriptionLength: 'The work group description has 3 to 18 characters',
    membersRequired: 'Please choose the members', memberUnknown: 'A chosen member does not exist', projectRequired: 'Please choose the project', projectUnknown: 'The chosen project does not exist', organisationUnknown: 'The chosen organisation does not exist',
  },
  'fr-FR': {
    created: 'Groupe de travail créé', updated: 'Groupe de travail mis à jour', deleted: 'Supprimé',
    nameRequired: 'Saisissez le nom du groupe de travail', nameLength: 'Le nom du groupe de travail compte de 3 à 10 caractères', descriptionRequired: 'Saisissez la description du groupe de travail', descriptionLength: 'La description du groupe de travail compte de 3 à 18 caractères',
    membersRequired: 'Choisissez les membres', memberUnknown: 'Un membre choisi n’existe pas', projectRequired: 'Choisissez le projet', projectUnknown: 'Le projet choisi n’existe pas', organisationUnknown: 'L’organisation choisie n’existe pas',
  },
  'ja-JP': {
    created: 'ワークグループを作成しました', updated: 'ワークグループを更新しました', deleted: '削除しました',
    nameRequired: 'ワークグループ名を入力してください', nameLength: 'ワークグループ名は 3～10 文字です', descriptionRequired: 'ワークグループの説明を入力してください', descriptionLength: 'ワークグループの説明は 3～18 文字です',
    membersRequired: 'メンバーを選択してください', memberUnknown: '選択したメンバーが存在しません', projectRequired: 'プロジェクトを選択してください', projectUnknown: '選択したプロジェクトが存在しません', organisationUnknown: '選択した組織が存在しません',
  },
  'ko-KR': {
    created: '작업 그룹을 만들었습니다', updated: '작업 그룹을 수정했습니다', deleted: '삭제했습니다',
    nameRequired: '작업 그룹 이름을 입력하세요', nameLength: '작업 그룹 이름은 3~10자입니다', descriptionRequired: '작업 그룹 설명을 입력하세요', descriptionLength: '작업 그룹 설명은 3~18자입니다',
    membersRequired: '구성원을 선택하세요', memberUnknown: '선택한 구성원이 없습니다', projectRequired: '프로젝트를 선택하세요', projectUnknown: '선택한 프로젝트가 없습니다', organisationUnknown: '선택한 조직이 없습니다',
  },
};

export const workGroupTexts = (language: Language): WorkGroupTexts => all[language];
