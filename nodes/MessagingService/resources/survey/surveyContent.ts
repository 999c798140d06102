import { additionalFields } from '../../fields/collections';
import { templateFields, campaignTitle } from '../campaign/campaignContent';

/** The optional fields of a survey (survey.create in emulator/openapi.yaml). */
export const surveyContent = additionalFields([campaignTitle, ...templateFields]);
