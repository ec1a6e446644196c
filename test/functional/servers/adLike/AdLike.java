import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchEntry;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A directory in memory with three rules of Active Directory that Samba does not have:
 * - An attribute with more than 1,500 values (MaxValRange) arrives without values, and beside it as `member;range=0-1499`. The next part is asked for with
 *   `member;range=1500-*`, and the last one ends with `*` (MS-ADTS 3.1.1.3.1.3.3).
 * - A search without pages ends after 1,000 entries (MaxPageSize) with result 4, and a larger page is cut to 1,000.
 * - What the account may not see, here all below ou=archive, is left out after the page was counted. So a page can be short or empty, and have a cookie.
 *
 * Arguments: the suffix, the DN and the password of the reader, the LDIF. It listens on 127.0.0.1, and prints its port.
 */
public final class AdLike extends InMemoryOperationInterceptor {
  private static final int MAX_VALUES = 1500;
  private static final int MAX_PAGE = 1000;
  private static final String ARCHIVE = ",ou=archive,";
  private static final String RANGES = "ranges";
  private static final Pattern RANGE = Pattern.compile("([a-z0-9-]+);range=(\\d+)-(\\*|\\d+)", Pattern.CASE_INSENSITIVE);

  private record Range(int from, int to) {}

  public static void main(String[] arguments) throws Exception {
    var configuration = new InMemoryDirectoryServerConfig(arguments[0]);
    configuration.setSchema(null);
    configuration.addAdditionalBindCredentials(arguments[1], arguments[2]);
    configuration.setListenerConfigs(InMemoryListenerConfig.createLDAPConfig("loopback", InetAddress.getByName("127.0.0.1"), 0, null));
    configuration.addInMemoryOperationInterceptor(new AdLike());
    var server = new InMemoryDirectoryServer(configuration);
    server.importFromLDIF(true, arguments[3]);
    server.startListening();
    System.out.println(server.getListenPort());
    while (System.in.read() >= 0) {}
    server.shutDown(true);
  }

  @Override
  public void processSearchRequest(InMemoryInterceptedSearchRequest intercepted) throws LDAPException {
    var request = intercepted.getRequest().duplicate();
    var ranges = new HashMap<String, Range>();
    var attributes = new ArrayList<String>();
    for (String name : request.getAttributeList()) {
      var range = RANGE.matcher(name);
      if (range.matches()) ranges.put(key(range.group(1)), new Range(Integer.parseInt(range.group(2)), end(range.group(3))));
      attributes.add(range.matches() ? range.group(1) : name);
    }
    intercepted.setProperty(RANGES, ranges);
    request.setAttributes(attributes);
    var controls = new ArrayList<Control>();
    boolean isPaged = false;
    for (Control control : request.getControls()) {
      boolean isPage = control.getOID().equals(SimplePagedResultsControl.PAGED_RESULTS_OID);
      controls.add(isPage ? cut(control) : control);
      isPaged |= isPage;
    }
    request.setControls(controls);
    if (!isPaged) request.setSizeLimit(MAX_PAGE);
    intercepted.setRequest(request);
  }

  @Override
  public void processSearchEntry(InMemoryInterceptedSearchEntry intercepted) {
    var entry = intercepted.getSearchEntry();
    if (entry.getDN().toLowerCase(Locale.ROOT).contains(ARCHIVE)) {
      intercepted.setSearchEntry(null);
      return;
    }
    @SuppressWarnings("unchecked")
    var ranges = (Map<String, Range>) intercepted.getProperty(RANGES);
    var attributes = new ArrayList<Attribute>();
    boolean isCut = false;
    for (Attribute attribute : entry.getAttributes()) {
      var asked = ranges.get(key(attribute.getName()));
      if (asked == null && attribute.size() <= MAX_VALUES) {
        attributes.add(attribute);
        continue;
      }
      if (asked == null) attributes.add(new Attribute(attribute.getName()));
      attributes.addAll(part(attribute, asked == null ? new Range(0, Integer.MAX_VALUE) : asked));
      isCut = true;
    }
    if (isCut) intercepted.setSearchEntry(new Entry(entry.getDN(), attributes));
  }

  /** The values of this range, at most 1,500 of them, with the range in the name. Nothing if the range is behind the last value. */
  private static List<Attribute> part(Attribute attribute, Range asked) {
    // The values as they are kept: a copy of 100,000 values for each part would take longer than the rest of the answer.
    var values = attribute.getRawValues();
    if (asked.from >= values.length) return List.of();
    int to = (int) Math.min(Math.min((long) asked.to, asked.from + MAX_VALUES - 1L), values.length - 1L);
    String last = to == values.length - 1 ? "*" : Integer.toString(to);
    String name = attribute.getName() + ";range=" + asked.from + "-" + last;
    return List.of(new Attribute(name, Arrays.copyOfRange(values, asked.from, to + 1)));
  }

  private static Control cut(Control control) throws LDAPException {
    var page = new SimplePagedResultsControl(control.getOID(), control.isCritical(), control.getValue());
    return new SimplePagedResultsControl(Math.min(page.getSize(), MAX_PAGE), page.getCookie(), control.isCritical());
  }

  private static String key(String attribute) {
    return attribute.toLowerCase(Locale.ROOT);
  }

  private static int end(String text) {
    return text.equals("*") ? Integer.MAX_VALUE : Integer.parseInt(text);
  }
}
