import type { Language } from '../../../../catalogue/languages.ts';

/** What organisations say; the Chinese success texts are fixed (specified 7.7). */
export interface OrganisationTexts {
  readonly deleted: string;
  readonly moved: string;
  readonly nameRequired: string;
  readonly nameLength: string;
  readonly descriptionLength: string;
  readonly personUnknown: string;
  readonly groupUnknown: string;
  readonly otherOrganisation: string;
}

const all: Readonly<Record<Language, OrganisationTexts>> = {
  'zh-CN': {
    deleted: '删除成功！', moved: '更新节点成功！', nameRequired: '请填写组织名称', nameLength: '组织名称长度在 3 到 10 个字符', descriptionLength: '组织描述长度在 3 到 18 个字符',
    personUnknown: '所选人员不存在', groupUnknown: '所选工作组不存在', otherOrganisation: '一次只能保存一个组织的关联',
  },
  'zh-TW': {
    deleted: '已成功刪除！', moved: '節點已更新！', nameRequired: '請填寫組織名稱', nameLength: '組織名稱長度須為 3 到 10 個字元', descriptionLength: '組織說明長度須為 3 到 18 個字元',
    personUnknown: '選取的人員不存在', groupUnknown: '選取的工作群組不存在', otherOrganisation: '一次只能儲存一個組織的關聯',
  },
  'en-US': {
    deleted: 'Deleted', moved: 'Node updated', nameRequired: 'Please fill in the organisation name', nameLength: 'The organisation name has 3 to 10 characters', descriptionLength: 'The organisation description has 3 to 18 characters',
    personUnknown: 'A chosen person does not exist', groupUnknown: 'A chosen work group does not exist', otherOrganisation: 'Only the links of the organisation that is saved can be saved with it',
  },
  'fr-FR': {
    deleted: 'Supprimé', moved: 'Nœud mis à jour', nameRequired: 'Saisissez le nom de l’organisation', nameLength: 'Le nom de l’organisation compte de 3 à 10 caractères', descriptionLength: 'La description de l’organisation compte de 3 à 18 caractères',
    personUnknown: 'Une personne choisie n’existe pas', groupUnknown: 'Un groupe de travail choisi n’existe pas', otherOrganisation: 'Seuls les liens de l’organisation enregistrée peuvent l’être avec elle',
  },
  'ja-JP': {
    deleted: '削除しました', moved: 'ノードを更新しました', nameRequired: '組織名を入力してください', nameLength: '組織名は 3～10 文字です', descriptionLength: '組織の説明は 3～18 文字です',
    personUnknown: '選択した人が存在しません', groupUnknown: '選択したワークグループが存在しません', otherOrganisation: '保存する組織の関連だけを一緒に保存できます',
  },
  'ko-KR': {
    deleted: '삭제했습니다', moved: '노드를 수정했습니다', nameRequired: '조직 이름을 입력하세요', nameLength: '조직 이름은 3~10자입니다', descriptionLength: '조직 설명은 3~18자입니다',
    personUnknown: '선택한 사람이 없습니다', groupUnknown: '선택한 작업 그룹이 없습니다', otherOrganisation: '저장하는 조직의 연결만 함께 저장할 수 있습니다',
  },
};

export const organisationTexts = (language: Language): OrganisationTexts => all[language];
