import java.io.FileInputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.validation.profiles.ErrorArgument;
import org.verapdf.pdfa.validation.profiles.Profiles;
import org.verapdf.pdfa.validation.profiles.Rule;
import org.verapdf.pdfa.validation.profiles.ValidationProfile;
import org.verapdf.pdfa.validation.profiles.Variable;
import org.verapdf.pdfa.validation.validators.ValidatorFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Judges PDFs by profiles of veraPDF: `VeraPdf PDFUA-1,PDFA-2B file…` prints a line for each rule that is broken. */
public class VeraPdf {
    public static void main(String[] arguments) throws Exception {
        VeraGreenfieldFoundryProvider.initialise();
        for (String name : arguments[0].split(",")) {
            ValidationProfile profile = read(name);
            for (int index = 1; index < arguments.length; index++) {
                judge(name, profile, arguments[index]);
            }
        }
    }

    private static void judge(String name, ValidationProfile profile, String file) throws Exception {
        try (var parser = Foundries.defaultInstance().createParser(new FileInputStream(file), profile.getPDFAFlavour());
                var validator = ValidatorFactory.createValidator(profile, false)) {
            for (var broken : validator.validate(parser).getTestAssertions()) {
                var rule = broken.getRuleId();
                System.out.printf("%s\t%s\t%s-%d\t%s\t%s%n", file, name, rule.getClause(), rule.getTestNumber(),
                        broken.getMessage(), broken.getLocation().getContext());
            }
        }
    }

    /** The profile is read here: the archive leaves out the library with which veraPDF would do it. */
    private static ValidationProfile read(String name) throws Exception {
        var source = Profiles.class.getResourceAsStream("/org/verapdf/pdfa/validation/" + name + ".xml");
        Element root = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(source).getDocumentElement();
        Set<Rule> rules = new HashSet<>();
        for (Element rule : elements(root, "rule")) {
            Element id = elements(rule, "id").get(0);
            var ruleId = Profiles.ruleIdFromValues(
                    PDFAFlavour.Specification.valueOf(id.getAttribute("specification")),
                    id.getAttribute("clause"), Integer.parseInt(id.getAttribute("testNumber")));
            var error = Profiles.errorFromValues(text(rule, "message"), List.<ErrorArgument>of());
            rules.add(Profiles.ruleFromValues(ruleId, rule.getAttribute("object"),
                    Boolean.parseBoolean(rule.getAttribute("deferred")), rule.getAttribute("tags"),
                    text(rule, "description"), text(rule, "test"), error, List.of()));
        }
        Set<Variable> variables = new HashSet<>();
        for (Element variable : elements(root, "variable")) {
            variables.add(Profiles.variableFromValues(variable.getAttribute("name"), variable.getAttribute("object"),
                    text(variable, "defaultValue"), text(variable, "value")));
        }
        return Profiles.profileFromValues(PDFAFlavour.valueOf(root.getAttribute("flavour")),
                Profiles.profileDetailsFromValues(name, name, "", new java.util.Date(0)), "", rules, variables);
    }

    private static List<Element> elements(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getElementsByTagName(name);
        for (int index = 0; index < nodes.getLength(); index++) {
            found.add((Element) nodes.item(index));
        }
        return found;
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).get(0).getTextContent();
    }
}
